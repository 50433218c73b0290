import type { Layout } from '../chain/chain.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { validatorNetworkAccounts } from '../ledger/genesis/genesis.ts';
import { addSettlementMetrics } from '../metrics/ledger-metrics.ts';
import { withFields } from '../ports/logger.ts';
import { createRollupAuth, LoginService } from '../rollup/auth/login-service.ts';
import { openRollup } from '../rollup/open-rollup.ts';
import { Guards } from '../rollup/privacy/guards.ts';
import { coarseFigures, PrivateViews, TokenReaders } from '../rollup/privacy/private-views.ts';
import { HISTORY_PURPOSE, HistoryNames } from '../rollup/privacy/shown-history.ts';
import { RollupChain } from '../rollup/rollup-chain.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';
import { isAdmitted, rollupValidatorOf } from '../rollup/validator-accounts.ts';
import { featureSetOf } from '../rpc/cluster/node-version.ts';
import { ROLLUP_METHODS } from '../rpc/methods/rollup/rollup-methods.ts';
import { type LedgerHome, rollupPlace } from './ledger-home.ts';
import { createLedgerServer, unreadinessOf } from './ledger-server.ts';
import { type NodeContext, type NodeEndpoint, Resources, type StackNode } from './node.ts';

interface RollupNodeOptions {
  readonly base: EmbeddedLedger;
  /** Layout of the base ledger's programs. */
  readonly layout: Layout;
  /** The storage of both ledgers. */
  readonly home: LedgerHome;
  /** Whether to replace the stored rollup with a new one. */
  readonly reset: boolean;
  /** The addresses of the rollup's node; null if it does not listen. */
  readonly endpoint: NodeEndpoint | null;
}

/** The embedded rollup, with the chain for the operations and the server for clients. */
export interface RollupNode extends StackNode {
  readonly rollup: EmbeddedRollup;
  /** The rollup of the cluster `localnet`. */
  readonly chain: RollupChain;
}

/**
 * Opens the rollup on top of a base ledger, with its login service and its server.
 *
 * @throws {ServiceError} the errors of openRollup.
 */
export function openRollupNode(context: NodeContext, options: RollupNodeOptions): Promise<RollupNode> {
  return Resources.open(async (resources) => {
    const { base, endpoint } = options;
    const { rollup, views } = await openPrivateRollup(context, options, resources);
    const logins = new LoginService({
      secret: base.secretFor('rollup bearer tokens'),
      clock: context.ports.clock,
      readersOf: (account) => views.readersOf(account),
    });
    const readers = new TokenReaders(logins, views);
    const publicUrl = endpoint && endpoint.url;
    const server = resources.add(
      createLedgerServer(context, {
        name: 'rollup',
        ledger: rollup,
        figures: coarseFigures(rollup.figures),
        node: { featureSet: featureSetOf(base), ...(publicUrl !== null && { publicUrl }) },
        endpoint,
        calls: { methods: ROLLUP_METHODS },
        privacy: { readers, logins },
      }),
    );
    addSettlementMetrics(context.registry, () => ({ ...rollup.settlement, held: rollup.heldIntents }));
    return {
      rollup,
      chain: new RollupChain({ rollup, readers, auth: createRollupAuth(logins), publicUrl }),
      server,
      unreadiness: () => unreadinessOf(base, rollup),
      close: () => resources.close(),
    };
  });
}

/** Opens the rollup and the views of its readers. */
async function openPrivateRollup(
  { config, ports }: NodeContext,
  { base, layout, home, reset }: RollupNodeOptions,
  resources: Resources,
): Promise<{ readonly rollup: EmbeddedRollup; readonly views: PrivateViews }> {
  const guards = resources.add(new Guards(base));
  const names = new HistoryNames(base.secretFor(HISTORY_PURPOSE), guards);
  const validator = rollupValidatorOf(base);
  const rollup = await openRollup({
    base,
    validator,
    baseAccounts: layout === 'b' ? validatorNetworkAccounts(validator.address) : [],
    // Base admits a validator only after its rollup is on disk, so missing files of an admitted validator
    // mean damage.
    place: rollupPlace(home, isAdmitted(base, validator.address), {
      transactionsMax: config.ledgerHistoryMax,
      reset,
    }),
    accountsBytesMax: config.ledgerAccountsBytesMax,
    ...ports,
    logger: withFields(ports.logger, { ledger: 'rollup' }),
    listedUnder: names.namesOf,
    observer: guards,
  });
  resources.add(rollup);
  return { rollup, views: new PrivateViews(rollup, guards, names) };
}
