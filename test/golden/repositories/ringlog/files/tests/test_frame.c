#include <assert.h>
#include <string.h>
#include "ringlog/frame.h"

static int seen;

static void count(const struct rl_frame *frame, void *context)
{
    (void)context;
    assert(memcmp(frame->payload, "hi\x7e", 3) == 0);
    seen++;
}

int main(void)
{
    rl_buffer buffer;
    struct rl_frame frame = { .level = RL_INFO, .length = 3, .payload = "hi\x7e" };
    rl_buffer_init(&buffer, 64);
    assert(rl_frame_encode(&frame, &buffer) == RL_OK);
    assert(rl_frame_decode(&buffer, count, NULL) == RL_OK);
    assert(seen == 1);
    return 0;
}
