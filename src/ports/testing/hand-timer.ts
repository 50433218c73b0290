import type { Clock } from '../clock.ts';
import type { Timer } from '../timer.ts';

interface Appointment {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A manual timer with its clock, which starts at 0 ms. */
export class HandTimer implements Timer, Clock {
  readonly #appointments = new Set<Appointment>();
  #nowMs = 0;

  /** Number of pending calls. */
  get size(): number {
    return this.#appointments.size;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const appointment = { dueMs: this.#nowMs + delayMs, run };
    this.#appointments.add(appointment);
    return () => this.#appointments.delete(appointment);
  }

  /** Advances by `ms` and runs the calls that become due, in order. */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#appointments.delete(next);
      this.#nowMs = next.dueMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Appointment | undefined {
    const [first] = [...this.#appointments].sort((left, right) => left.dueMs - right.dueMs);
    return first !== undefined && first.dueMs <= untilMs ? first : undefined;
  }
}
