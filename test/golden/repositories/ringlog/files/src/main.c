#include <stdio.h>
#include <stdlib.h>
#include <ringlog/sink.h>

#ifdef _WIN32
#include <io.h>
static int binary(void) { return _setmode(_fileno(stdin), _O_BINARY); }
static const char *version(void) { return "ringlog 1.3"; }
#else
static int binary(void) { return 0; }
static const char *version(void) { return "ringlog 1.3"; }
#endif

/* Reads frames from stdin and writes them to a file. */
int main(int argc, char **argv)
{
    rl_buffer buffer;
    struct rl_sink sink;
    char chunk[512];
    size_t count;
    if (argc < 2 || rl_sink_open_file(&sink, argv[1]) != 0) {
        fprintf(stderr, "usage: ringlog <file>\n");
        return EXIT_FAILURE;
    }
    binary();
    rl_buffer_init(&buffer, 4096);
    while ((count = fread(chunk, 1, sizeof chunk, stdin)) > 0) {
        rl_buffer_write(&buffer, chunk, count);
        if (rl_frame_decode(&buffer, rl_sink_handle, &sink) == RL_BAD_CRC)
            fputs("ringlog: bad crc\n", stderr);
    }
    rl_sink_close(&sink);
    rl_buffer_free(&buffer);
    return EXIT_SUCCESS;
}
