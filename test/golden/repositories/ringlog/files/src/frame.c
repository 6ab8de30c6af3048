#include "ringlog/frame.h"

#include <string.h>

static const uint16_t polynomial = 0x1021;

/** CRC-16 as in X.25. */
static uint16_t crc16(const uint8_t *bytes, size_t length)
{
    uint16_t crc = 0xffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint16_t)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ polynomial : (uint16_t)(crc << 1);
    }
    return crc;
}

static void put_escaped(rl_buffer *out, uint8_t byte)
{
    if (byte == RL_FLAG || byte == RL_ESCAPE) {
        uint8_t pair[] = { RL_ESCAPE, byte ^ 0x20 };
        rl_buffer_write(out, pair, sizeof pair);
    } else {
        rl_buffer_write(out, &byte, 1);
    }
}

rl_status rl_frame_encode(const struct rl_frame *frame, rl_buffer *out)
{
    const uint8_t flag = RL_FLAG;
    if (frame->length > RL_MAX_PAYLOAD)
        return RL_TOO_LONG;
    uint16_t crc = crc16(frame->payload, frame->length);
    put_escaped(out, (uint8_t)frame->level);
    for (int shift = 0; shift < 32; shift += 8)
        put_escaped(out, (uint8_t)(frame->time >> shift));
    for (size_t i = 0; i < frame->length; i++)
        put_escaped(out, frame->payload[i]);
    put_escaped(out, (uint8_t)crc);
    put_escaped(out, (uint8_t)(crc >> 8));
    rl_buffer_write(out, &flag, 1);
    return RL_OK;
}

struct decoder {
    uint8_t bytes[2 * RL_MAX_PAYLOAD];
    size_t length;
    bool escaped;
};

static rl_status finish(struct decoder *decoder, rl_handler handler, void *context)
{
    struct rl_frame frame = { .level = decoder->bytes[0] };
    size_t end = decoder->length - 2;
    frame.length = (uint16_t)(end - 5);
    memcpy(&frame.time, decoder->bytes + 1, 4);
    memcpy(frame.payload, decoder->bytes + 5, frame.length);
    uint16_t crc = (uint16_t)(decoder->bytes[end] | decoder->bytes[end + 1] << 8);
    memset(decoder, 0, sizeof *decoder);
    if (crc != crc16(frame.payload, frame.length))
        return RL_BAD_CRC;
    handler(&frame, context);
    return RL_OK;
}

rl_status rl_frame_decode(rl_buffer *in, rl_handler handler, void *context)
{
    static struct decoder decoder;
    rl_status status = RL_NEED_MORE;
    uint8_t byte;
    while (rl_buffer_read(in, &byte, 1) == 1) {
        if (byte == RL_FLAG) {
            status = finish(&decoder, handler, context);
        } else if (byte == RL_ESCAPE) {
            decoder.escaped = true;
        } else {
            decoder.bytes[decoder.length++] = decoder.escaped ? byte ^ 0x20 : byte;
            decoder.escaped = false;
        }
    }
    return status;
}
