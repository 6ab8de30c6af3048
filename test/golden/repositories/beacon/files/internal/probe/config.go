package probe

import (
	"errors"
	"fmt"
	"os"
	"time"

	yaml "gopkg.in/yaml.v3"
)

// ErrNoTargets says that there is nothing to watch.
var ErrNoTargets = errors.New("no targets")

const defaultInterval = 30 * time.Second

// Config is what beacon.yaml says.
type Config struct {
	Interval time.Duration `yaml:"interval"`
	Keep     int           `yaml:"keep"`
	Webhook  string        `yaml:"webhook"`
	Targets  []Target      `yaml:"targets"`
}

// Target is a service to watch.
type Target struct {
	Name    string        `yaml:"name"`
	Kind    string        `yaml:"kind"`
	Address string        `yaml:"address"`
	Timeout time.Duration `yaml:"timeout"`
}

// LoadConfig reads a configuration and fills in what it leaves out.
func LoadConfig(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var config Config
	if err := yaml.Unmarshal(data, &config); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &config, config.complete()
}

func (c *Config) complete() error {
	if len(c.Targets) == 0 {
		return ErrNoTargets
	}
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	for _, target := range c.Targets {
		if target.Timeout == 0 {
			target.Timeout = c.Interval / 2
		}
	}
	return nil
}
