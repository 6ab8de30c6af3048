#include <assert.h>
#include <string.h>
#include "ringlog/buffer.h"

static void test_wraps_around(void)
{
    rl_buffer buffer;
    char out[8] = { 0 };
    assert(rl_buffer_init(&buffer, 8));
    rl_buffer_write(&buffer, "abcde", 5);
    rl_buffer_read(&buffer, out, 4);
    assert(rl_buffer_write(&buffer, "fghij", 5) == 5);
    rl_buffer_read(&buffer, out, 6);
    assert(memcmp(out, "efghij", 6) == 0);
    rl_buffer_free(&buffer);
}

static void test_counts_what_is_dropped(void)
{
    rl_buffer buffer;
    rl_buffer_init(&buffer, 4);
    rl_buffer_write(&buffer, "abcdef", 6);
    assert(buffer.dropped == 3);
    rl_buffer_free(&buffer);
}

int main(void)
{
    test_wraps_around();
    test_counts_what_is_dropped();
    return 0;
}
