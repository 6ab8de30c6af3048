#include "ringlog/sink.h"

#include <errno.h>
#include <string.h>

#define ROTATE_AFTER (1L << 20)

static const char *const names[] = {
    [RL_DEBUG] = "debug",
    [RL_INFO] = "info",
    [RL_WARNING] = "warning",
    [RL_ERROR] = "error",
};

static int file_open(struct rl_sink *sink, const char *path)
{
    sink->file = fopen(path, "a");
    return sink->file ? 0 : -errno;
}

static int rotate(struct rl_sink *sink)
{
    rewind(sink->file);
    sink->written = 0;
    return 0;
}

static int file_put(struct rl_sink *sink, const struct rl_frame *frame)
{
    int count = fprintf(sink->file, "%u %s %.*s\n", (unsigned)frame->time, names[frame->level],
                        frame->length, (const char *)frame->payload);
    if (count < 0)
        return -EIO;
    sink->written += count;
    return sink->written > ROTATE_AFTER ? rotate(sink) : 0;
}

static void file_close(struct rl_sink *sink)
{
    fclose(sink->file);
}

static const struct rl_sink_ops file_ops = { file_open, file_put, .close = file_close };

int rl_sink_open_file(struct rl_sink *sink, const char *path)
{
    memset(sink, 0, sizeof *sink);
    sink->ops = &file_ops;
    return sink->ops->open(sink, path);
}

void rl_sink_handle(const struct rl_frame *frame, void *context)
{
    struct rl_sink *sink = context;
    if (frame->level >= sink->least)
        sink->ops->put(sink, frame);
}

void rl_sink_close(struct rl_sink *sink)
{
    sink->ops->close(sink);
}
