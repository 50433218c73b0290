import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, in this order (from some 3 s on, on two cores). Without it they would be known
 * only after a first run, so that on a new machine one of them would begin last and the other workers would
 * wait for it. Those in `src` are left out of `npm run test:unit`.
 */
export const LONGEST = [
  'test/console/story.test.ts',
  'test/examples.test.ts',
  'test/rollup-privacy/network-scenarios.test.ts',
  'test/durability/stack-kill.test.ts',
  'test/rollup-model/layout-b.test.ts',
  'test/lifecycle-hosted.test.ts',
  'test/console/views.test.ts',
  'test/lifecycle-restart.test.ts',
  'test/workers.test.ts',
  'test/hostile/mutation/mutations.test.ts',
  'test/durability/kill.test.ts',
  'test/lifecycle.test.ts',
  'src/rollup/settlement/layout-b-crash.test.ts',
  'src/ledger/store/folder-store.test.ts',
  'test/network-demo.test.ts',
  'test/deploy/dockerfile.test.ts',
  'test/hostile/table.test.ts',
  'test/external-validator/network-life.test.ts',
  'test/external-validator/launch.test.ts',
  'test/localnet-closed.test.ts',
  'test/rollup-model/rollup-model.test.ts',
  'test/durability/restart-memory.test.ts',
  'test/console/hostile.test.ts',
  'test/console/stranger.test.ts',
  'src/stack/localnet-programs.test.ts',
  'test/verbs-script.test.ts',
  'test/engine-abort.test.ts',
  'test/fuzz.test.ts',
  'test/rollup-privacy/network-payment.test.ts',
  'test/testing-document.test.ts',
  'test/demo.test.ts',
  'src/payments/explain-transaction.test.ts',
  'test/lifecycle-stdio.test.ts',
  'test/localnet-programs.test.ts',
  'test/lifecycle-supervise.test.ts',
  'test/networks.test.ts',
  'test/console-server/two-worlds.test.ts',
  'src/rollup/settlement/crash.test.ts',
  'test/localnet-lookup-table.test.ts',
  'src/ledger/run/buffer-writes.test.ts',
  'test/agent-payment.test.ts',
  'test/watch.test.ts',
  'src/ledger/provision/dry-run.test.ts',
  'src/rpc/methods/surfnet/put-accounts.test.ts',
  'src/stack/two-ledgers.test.ts',
  'src/rpc/scan/stalled-loop.test.ts',
  'test/rollup-privacy/subscriptions.test.ts',
  'src/rpc/finished-slot.test.ts',
  'src/rpc/methods/surfnet/write-program.test.ts',
  'src/rpc/accounts/zstd-frame.test.ts',
  'src/rpc/methods/surfnet/clone-program-account.test.ts',
  'test/worker-mints.test.ts',
  'test/conformance/stdio-client.test.ts',
  'src/http/connections.test.ts',
  'src/rpc/methods/surfnet/reset-account.test.ts',
  'src/rpc/methods/surfnet/set-program-authority.test.ts',
  'src/service/schema-honesty.test.ts',
  'src/gateway/gateway-faults.test.ts',
  'src/ledger/store/folder-lock.test.ts',
  'src/stack/new-ledger.test.ts',
  'src/ledger/provision/provisioner.test.ts',
  'src/rollup/execution/rollup-rules.test.ts',
  'src/rpc/pubsub/pubsub.test.ts',
  'src/rollup/settlement/settler.test.ts',
  'src/ledger/open-ledger.test.ts',
  'src/ledger/store/store.test.ts',
  'src/rollup/projection/base-follower.test.ts',
  'src/ledger/provision/fork.test.ts',
  'src/rollup/settlement/refund.test.ts',
  'src/rollup/payment-life.test.ts',
  'src/rollup/privacy/ledger-view.test.ts',
  'src/rollup/payment-perils.test.ts',
  'src/payments/transfer/transfer-on-ledger.test.ts',
  'src/ledger/store/damage.test.ts',
  'src/ledger/run/fee.test.ts',
  'src/ledger/blocks.test.ts',
  'src/ledger/operator.test.ts',
  'src/ledger/data-ceiling.test.ts',
];

/** Begins with the files that are known to take longest; the others follow as vitest would have them. */
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
