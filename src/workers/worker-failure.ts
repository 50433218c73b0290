import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { exitCodeOf, describeDeath, type Death } from '../supervisor/death.ts';

/** Why the stack cannot go on: a worker that cannot be had. The message is for the operator. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A worker ended in a way after which it is not started again. */
export function endedFailure(number: number, death: Death): WorkerFailure {
  const code = exitCodeOf(death);
  const message = `Worker ${number} of the tool service was ended by ${describeDeath(death)}, and the rest with it.`;
  // Without one of its workers the stack has not ended as asked.
  return new WorkerFailure(message, code === EXIT_CODES.done ? EXIT_CODES.fault : code);
}

/** A worker died too often before it served. */
export function gaveUpFailure(number: number, deaths: number, death: Death): WorkerFailure {
  return new WorkerFailure(
    `Given up: worker ${number} of the tool service died ${deaths} times in a row before it was ready, the last time by ${describeDeath(death)}. If it died by SIGKILL, the system may be out of memory: set WORKERS to a lower number.`,
    EXIT_CODES.gaveUp,
  );
}
