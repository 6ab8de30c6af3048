#ifndef RINGLOG_FRAME_H
#define RINGLOG_FRAME_H

#include "buffer.h"

#define RL_FLAG 0x7e
#define RL_ESCAPE 0x7d
#define RL_MAX_PAYLOAD 256

enum rl_level { RL_DEBUG, RL_INFO, RL_WARNING, RL_ERROR };

typedef enum { RL_OK = 0, RL_NEED_MORE, RL_BAD_CRC, RL_TOO_LONG } rl_status;

struct rl_frame {
    enum rl_level level;
    uint32_t time;
    uint16_t length;
    uint8_t payload[RL_MAX_PAYLOAD];
};

typedef void (*rl_handler)(const struct rl_frame *frame, void *context);

rl_status rl_frame_encode(const struct rl_frame *frame, rl_buffer *out);

/** Decodes all whole frames of a buffer. */
rl_status rl_frame_decode(rl_buffer *in, rl_handler handler, void *context);

#endif
