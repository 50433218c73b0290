/**
 * The stack as the command line runs it. On SIGUSR2, it passes invalid transaction bytes to the native
 * engine, which aborts the process. Normally a decoder rejects such bytes first.
 */
import { readArguments } from '../../dist/cli/arguments.js';
import { runStack } from '../../dist/cli/run-stack.js';
import { LiteSvm } from '../../dist/ledger/engine/native-litesvm.js';
import { joinSupervisor } from '../../dist/supervisor/host.js';

process.on('SIGUSR2', () => {
  new LiteSvm().simulateVersionedTransaction(Uint8Array.of(1, 2, 3));
});
await runStack(readArguments(process.argv.slice(2)), await joinSupervisor());
