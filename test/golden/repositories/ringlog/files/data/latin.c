/* Café */
int cafe(void) { return 1; }
