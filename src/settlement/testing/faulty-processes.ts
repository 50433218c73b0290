import type { Scheduler } from 'fast-check';
import type { Timer } from '../../ports/timer.ts';
import type { Draw } from './scripted-ledger.ts';

/** A process that can end at any moment. Its calls then never return. */
export interface Life {
  isOver: boolean;
}

/** Processes with one scheduler for everything that they wait for. */
export class FaultyProcesses {
  /** Whether failures have stopped. */
  isCalm = false;
  readonly #scheduler: Scheduler;
  readonly #draw: Draw;
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  #nowMs = 0;
  #clockMs = 1_700_000_000_000;

  constructor(scheduler: Scheduler, draw: Draw) {
    this.#scheduler = scheduler;
    this.#draw = draw;
  }

  /** Time since the start, in ms. It is never set back. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** The clock that all processes read. */
  readonly clock = { now: (): number => this.#clockMs };

  /** Creates the timer of a process. */
  timerOf(life: Life): Timer {
    return {
      after: (delayMs, run) => {
        const appointment = {
          dueMs: this.#nowMs + delayMs,
          run: () => {
            if (!life.isOver) run();
          },
        };
        this.#timers.add(appointment);
        return () => void this.#timers.delete(appointment);
      },
    };
  }

  /** Delays the calls of a port and their answers. A store may also fail, before or after it acts. */
  through<Port extends object>(life: Life, port: Port, canFail: boolean): Port {
    return new Proxy(port, {
      get: (_, name) => {
        const method = Reflect.get(port, name, port) as unknown;
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          await this.deliver(life, canFail);
          const answer = await (method.apply(port, args) as Promise<unknown>).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          await this.deliver(life, canFail);
          if ('error' in answer) throw answer.error;
          return answer.value;
        };
      },
    });
  }

  /** Waits for the scheduler. Never resolves if the process has ended, and may fail. */
  async deliver(life: Life, canFail: boolean): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve());
    if (life.isOver) await new Promise(() => undefined);
    if (canFail && !this.isCalm && this.#draw(12) === 0) throw new Error(STORE_IS_GONE);
  }

  /** Lets a few calls and answers arrive. */
  async run(): Promise<void> {
    const tasks = 1 + this.#draw(12);
    for (let done = 0; done < tasks && this.#scheduler.count() > 0; done += 1)
      await this.#scheduler.waitNext(1);
  }

  /** Lets all calls and answers arrive. */
  async waitIdle(): Promise<void> {
    await this.#scheduler.waitIdle();
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#clockMs += ms;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.#nowMs);
    for (const appointment of due) {
      this.#timers.delete(appointment);
      appointment.run();
    }
  }

  setClockBack(ms: number): void {
    this.#clockMs -= ms;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#draw(items.length)] as T;
  }
}

/** The message of the error of a store that fails. */
export const STORE_IS_GONE = 'the store is gone';

/** Creates numbers from a seed (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
