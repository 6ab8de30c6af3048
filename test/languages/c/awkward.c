/* Licence of the file. */

#include <stdio.h>
#include "cart.h"

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SWAP(T, a, b) \
  do {                \
    T tmp = (a); /* kept */ \
    (a) = (b);        \
    (b) = tmp;        \
  } while (0)

/* A price. */
struct price {
  int cents;
  union value { int i; float f; } value;
};

typedef struct {
  struct price price;
} item_t;

/** All of them. */
typedef struct cart {
  item_t *items;
  struct { int x; } unnamed;
} cart;

enum kind { KIND_A, KIND_B };
typedef enum { STATE_ON } state;
union either { int a; };
struct declared;

static int declared_only(struct cart *c);

// Adds up
// everything.
static int total(const struct cart *c)
{
  return MAX(c->items->price.cents, LIMIT);
}

const char **names(void) {
  static const char *known[] = {
    "a",
#ifdef WIDE
    "wide",
#endif
    NULL
  };
  return known;
}

#ifdef FAST
int twin(int a) {
  return a;
}
#else
int twin(int a) {
  return a + 1;
}
#endif

int old(a, b)
  int a;
  char *b;
{
  return a;
}

int torn(int a) {
#ifdef CHECKED
  if (a > LIMIT) {
#else
  if (a) {
#endif
    printf("torn");
  }
  return a;
}

#ifdef LONG
int split(long a)
#else
int split(int a)
#endif
{
  return 1;
}

int SHOP_CALL decorated(void) { return 1; }
SHOP_DEPRECATED("use decorated") int also(void) { return 1; }
SHOP_API item_t *
on_its_own_line(void)
{
  return 0;
}

void (*handler(int signal))(int) {
  return 0;
}
int (bracketed)(int a) { return a; }

DEFINE_TEST(adds) {
  struct local { int a; } l;
  total(0);
}

#ifdef __cplusplus
}
#endif
