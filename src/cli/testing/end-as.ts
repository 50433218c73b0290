import { ServiceError } from '../../errors/service-error.ts';
import { fail, failOnUncaught } from '../fail.ts';

// A process that handles uncaught exceptions and ends in the way specified by its argument.

const stopped = new ServiceError('LEDGER_STOPPED', 'the disk is full');
const portTaken = new ServiceError('PORT_IN_USE', 'held by process 7');

const ENDS: Readonly<Record<string, () => void>> = {
  fixable: () => fail(stopped),
  folderHeld: () => fail(new ServiceError('LEDGER_FOLDER_IN_USE', 'held by process 7')),
  portTaken: () => fail(portTaken),
  portTakenAtRestart: () => fail(portTaken, true),
  bug: () => fail(new Error('bug')),
  rejection: () => void Promise.reject(stopped),
  exception: () =>
    void setImmediate(() => {
      throw stopped;
    }),
};

failOnUncaught();
ENDS[process.argv[2] ?? '']?.();
