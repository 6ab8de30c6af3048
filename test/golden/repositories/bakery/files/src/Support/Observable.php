<?php

declare(strict_types=1);

namespace Bakery\Support;

/** Lets others listen to what happens. */
trait Observable
{
    /** @var array<string, list<callable>> */
    private array $listeners = [];

    public function on(string $event, callable $listener): static
    {
        $this->listeners[$event][] = $listener;

        return $this;
    }

    protected function emit(string $event, mixed ...$arguments): void
    {
        foreach ($this->listeners[$event] ?? [] as $listener) {
            $listener(...$arguments);
        }
    }
}
