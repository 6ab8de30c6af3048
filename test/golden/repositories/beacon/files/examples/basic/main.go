// Command basic watches one service, without a configuration.
package main

import (
	"context"
	"log"
	"time"

	"example.org/beacon/internal/probe"
)

func main() {
	config := &probe.Config{Interval: time.Second, Targets: []probe.Target{{Name: "web", Kind: "http"}}}
	watcher := probe.NewWatcher(config, probe.WithSink(print))
	log.Fatal(watcher.Run(context.Background()))
}

func print(result probe.Result) {
	log.Println(result.Target, result.Err)
}
