// Command beacon watches services and tells when they are down.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"example.org/beacon/alert"
	"example.org/beacon/internal/probe"
	"example.org/beacon/internal/store"
)

var configPath = flag.String("config", "beacon.yaml", "path of the configuration")

func main() {
	flag.Parse()
	if err := run(*configPath); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	config, err := probe.LoadConfig(path)
	if err != nil {
		return fmt.Errorf("beacon: %w", err)
	}
	ring := store.NewRing[probe.Result](config.Keep)
	dispatcher := alert.NewDispatcher(&alert.Webhook{URL: config.Webhook})
	watcher := probe.NewWatcher(config, probe.WithSink(func(result probe.Result) {
		ring.Add(result)
		dispatcher.Observe(result.Target, result.Err)
	}))
	return watcher.Run(ctx)
}
