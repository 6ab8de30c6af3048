import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SupervisedProcess, Supervisor } from '../../src/backend/supervisor.ts';

class FakeProcess implements SupervisedProcess {
  said: string[] = [];
  #exit: (reason: string) => void = () => {};
  onExit(listener: (reason: string) => void): void {
    this.#exit = listener;
  }
  end(reason: string): void {
    this.#exit(reason);
  }
  stop(): void {
    this.said.push('stop');
  }
  kill(): void {
    this.said.push('kill');
    this.end('SIGKILL');
  }
}

function supervise() {
  const processes: FakeProcess[] = [];
  const reasons: string[] = [];
  const supervisor = new Supervisor(
    () => {
      processes.push(new FakeProcess());
      return processes.at(-1)!;
    },
    { onStart: () => {}, onCrash: (reason) => reasons.push(reason) },
  );
  return { supervisor, processes, reasons };
}

describe('Supervisor', () => {
  it('starts an engine again at once, then ever later, until one runs soundly', (test) => {
    test.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { processes, reasons } = supervise();
    for (const wait of [0, 500, 2000, 5000, 15_000, 15_000]) {
      const count = processes.length;
      processes.at(-1)!.end('SIGSEGV');
      if (wait > 0) {
        test.mock.timers.tick(wait - 1);
        assert.equal(processes.length, count);
      }
      test.mock.timers.tick(1);
      assert.equal(processes.length, count + 1);
    }
    // The supervisor measures by the monotonic clock, which timers do not mock.
    const later = performance.now() + 61_000;
    test.mock.method(performance, 'now', () => later);
    const count = processes.length;
    processes.at(-1)!.end('exit code 1');
    test.mock.timers.tick(1);
    assert.equal(processes.length, count + 1);
    assert.deepEqual(new Set(reasons), new Set(['SIGSEGV', 'exit code 1']));
  });

  it('ends it for good, by force when it does not answer', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { supervisor, processes, reasons } = supervise();
    const closed = supervisor.close();
    assert.deepEqual(processes[0]!.said, ['stop']);
    test.mock.timers.tick(5000);
    await closed;
    assert.deepEqual(processes[0]!.said, ['stop', 'kill']);
    test.mock.timers.tick(60_000);
    assert.deepEqual([processes.length, reasons], [1, []]);
  });
});
