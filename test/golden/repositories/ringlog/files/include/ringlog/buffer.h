#ifndef RINGLOG_BUFFER_H
#define RINGLOG_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A ring of bytes. One thread writes, another one reads. */
typedef struct rl_buffer {
    uint8_t *bytes;
    size_t capacity;
    size_t head;
    size_t tail;
    unsigned dropped;
} rl_buffer;

bool rl_buffer_init(rl_buffer *buffer, size_t capacity);
void rl_buffer_free(rl_buffer *buffer);
size_t rl_buffer_write(rl_buffer *buffer, const void *data, size_t length);
size_t rl_buffer_read(rl_buffer *buffer, void *data, size_t length);
size_t rl_buffer_used(const rl_buffer *buffer);

static inline size_t rl_buffer_room(const rl_buffer *buffer)
{
    return buffer->capacity - rl_buffer_used(buffer) - 1;
}

#endif
