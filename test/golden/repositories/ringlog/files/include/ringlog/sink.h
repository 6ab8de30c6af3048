#ifndef RINGLOG_SINK_H
#define RINGLOG_SINK_H

#include <stdio.h>
#include "frame.h"

struct rl_sink;

/** What a kind of sink can do. */
struct rl_sink_ops {
    int (*open)(struct rl_sink *sink, const char *name);
    int (*put)(struct rl_sink *sink, const struct rl_frame *frame);
    void (*close)(struct rl_sink *sink);
};

struct rl_sink {
    const struct rl_sink_ops *ops;
    enum rl_level least;
    FILE *file;
    long written;
};

int rl_sink_open_file(struct rl_sink *sink, const char *path);
void rl_sink_handle(const struct rl_frame *frame, void *sink);
void rl_sink_close(struct rl_sink *sink);

#endif
