import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, longest first (3 s or more on two cores). Without this list, a new machine could
 * start one of them last while other workers are idle. `npm run test:unit` skips those in `src`.
 */
export const LONGEST = [
  // Slow mostly in the long form, or if MagicBlock's validator is installed.
  'test/external-validator/network-life.test.ts',
  'test/external-validator/launch.test.ts',
  'test/rollup-model/rollup-model.test.ts',
  'test/hostile/mutation/mutations.test.ts',
  'test/conformance/fuzz.test.ts',
  'test/fuzz.test.ts',
  'test/localnet-closed.test.ts',
  'test/deploy/dockerfile.test.ts',
  'test/durability/kill.test.ts',
  'test/testing-document.test.ts',
  // Slow in both forms.
  'test/durability/stack-kill.test.ts',
  'test/checkout/kill.test.ts',
  'test/facilitator/kill.test.ts',
  'src/rollup/payment-life.test.ts',
  'test/answers.test.ts',
  'test/arrival/arrival-table.test.ts',
  'test/console/story.test.ts',
  'test/console/views.test.ts',
  'test/examples.test.ts',
  'test/durability/lock.test.ts',
  'test/lifecycle.test.ts',
  'test/rollup-privacy/network-scenarios.test.ts',
  'test/console/recovery.test.ts',
  'test/verbs-script.test.ts',
  'test/workers.test.ts',
  'test/replicas.test.ts',
  'test/deploy/proxy-processes.test.ts',
  'test/deploy/monitoring.test.ts',
  'test/lifecycle-hosted.test.ts',
  'test/hostile/table.test.ts',
  'test/network-life.test.ts',
  'test/rollup-privacy/network-payment.test.ts',
  'src/stack/localnet-programs.test.ts',
  'test/lifecycle-restart.test.ts',
  'src/rollup/settlement/layout-b-crash.test.ts',
  'test/client/lies.test.ts',
  'test/networks-now.test.ts',
  'test/rollup-model/layout-b.test.ts',
  'test/demo.test.ts',
  'test/console/requested-login.test.ts',
  'test/console-server/two-worlds.test.ts',
  'test/console/stranger.test.ts',
  'test/lifecycle-stdio.test.ts',
  'test/front-stalls.test.ts',
  'test/bench.test.ts',
  'test/ledger-backup.test.ts',
  'test/durability/full-disk.test.ts',
  'src/cli/verbs/golden-successes.test.ts',
  'test/localnet-lookup-table.test.ts',
  'src/rollup/privacy/queue-privacy.test.ts',
  'test/parts.test.ts',
  'test/lifecycle-supervise.test.ts',
  'src/gateway/gateway-faults.test.ts',
  'test/localnet-programs.test.ts',
  'src/localnet/reset.test.ts',
  'src/stack/two-ledgers.test.ts',
  'test/canaries.test.ts',
  'test/console/snapshots.test.ts',
  'src/http/connections.test.ts',
  'src/rpc/fuzz.test.ts',
  'src/stack/new-ledger.test.ts',
  'src/rpc/http/rpc-handler.test.ts',
  'src/payments/explain-transaction.test.ts',
  'src/ledger/provision/provisioner.test.ts',
  'src/ledger/store/store.test.ts',
  'src/ledger/engine/litesvm-engine.test.ts',
];

/** Runs the slowest files first, and the others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      return rank < 0 ? LONGEST.length : rank;
    };
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
