/**
 * The stack as the command line runs it, in a process whose native engine is given bytes that are no
 * transaction when SIGUSR2 comes: past the decoder that keeps such bytes from it, and so the end of the
 * process.
 */
import { readArguments } from '../../dist/cli/arguments.js';
import { runStack } from '../../dist/cli/run-stack.js';
import { LiteSvm } from '../../dist/ledger/engine/native-litesvm.js';
import { joinSupervisor } from '../../dist/supervisor/host.js';

process.on('SIGUSR2', () => {
  new LiteSvm().simulateVersionedTransaction(Uint8Array.of(1, 2, 3));
});
await runStack(readArguments(process.argv.slice(2)), await joinSupervisor());
