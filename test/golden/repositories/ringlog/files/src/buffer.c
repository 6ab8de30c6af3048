#include "ringlog/buffer.h"

#include <stdlib.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static size_t advance(const rl_buffer *buffer, size_t position, size_t count)
{
    return (position + count) % buffer->capacity;
}

bool rl_buffer_init(rl_buffer *buffer, size_t capacity)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->bytes = malloc(capacity);
    buffer->capacity = capacity;
    return buffer->bytes != NULL;
}

void rl_buffer_free(rl_buffer *buffer)
{
    free(buffer->bytes);
    buffer->bytes = NULL;
}

size_t rl_buffer_used(const rl_buffer *buffer)
{
    return (buffer->head + buffer->capacity - buffer->tail) % buffer->capacity;
}

/* Writes what fits; the rest is counted as dropped. */
size_t rl_buffer_write(rl_buffer *buffer, const void *data, size_t length)
{
    size_t fits = MIN(length, rl_buffer_room(buffer));
    size_t first = MIN(fits, buffer->capacity - buffer->head);
    memcpy(buffer->bytes + buffer->head, data, first);
    memcpy(buffer->bytes, (const uint8_t *)data + first, fits - first);
    buffer->head = advance(buffer, buffer->head, fits);
    buffer->dropped += (unsigned)(length - fits);
    return fits;
}

size_t rl_buffer_read(rl_buffer *buffer, void *data, size_t length)
{
    size_t count = MIN(length, rl_buffer_used(buffer));
    size_t first = MIN(count, buffer->capacity - buffer->tail);
    memcpy(data, buffer->bytes + buffer->tail, first);
    memcpy((uint8_t *)data + first, buffer->bytes, count - first);
    buffer->tail = advance(buffer, buffer->tail, count);
    return count;
}
