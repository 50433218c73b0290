import { resolve } from 'node:path';
import type { Chain, Layout, Rollup } from '../chain/chain.ts';
import { LOCALNET_LOOKUP_TABLE, readAddress } from '../chain/cluster-settings.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import type { Fork } from '../ledger/provision/fork.ts';
import { ForkedChain } from '../ledger/provision/forked-chain.ts';
import { LOCALNET_VALIDATOR, USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { decodeMint } from '../programs/token/state.ts';
import { forkedMethods } from '../rpc/fork/forked-methods.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { featureSetOf } from '../rpc/cluster/node-version.ts';
import type { RpcMethod } from '../rpc/rpc-method.ts';
import type { Address } from '../solana/address.ts';
import { type ProvisionOptions } from './provision-options.ts';
import { openBaseLedger } from './base-ledger.ts';
import { homeInFolder, type LedgerHome } from './ledger-home.ts';
import { createLedgerServer, type RpcServer, unreadinessOf } from './ledger-server.ts';
import type { NodeContext, NodeEndpoint, StackNode } from './node.ts';
import { Resources } from './resources.ts';

/** Options for the embedded ledger. */
export interface LedgerNodeOptions {
  /** Where it is stored. Default: `DATA_DIR`. */
  readonly home?: LedgerHome | undefined;
  /** Delete the stored ledger first. */
  readonly reset: boolean;
  readonly provision: ProvisionOptions;
  /** The addresses of its node; null if it does not listen. */
  readonly endpoint: NodeEndpoint | null;
}

/** The embedded ledger, with the chain for the operations and the server for Solana clients. */
export interface LedgerNode extends StackNode {
  readonly ledger: EmbeddedLedger;
  readonly home: LedgerHome;
  /** Layout of its programs of private payments. */
  readonly layout: Layout;
  /** The genesis mints its faucet can mint. */
  readonly mints: readonly NamedMint[];
  /** Warnings for the operator about the provision. */
  readonly warnings: readonly string[];
  /** The cluster `localnet`, with the rollup on top of it if there is one. */
  chainWith(rollup: Rollup | null): Chain;
}

/**
 * Opens the stored ledger and its server.
 *
 * @throws {ServiceError} what openLedger and Provisioner throw.
 */
export function openLedgerNode(context: NodeContext, options: LedgerNodeOptions): Promise<LedgerNode> {
  return Resources.open(async (resources) => {
    const { config, ports } = context;
    const { reset, provision, endpoint, home = homeInFolder(resolve(config.dataDir)) } = options;
    const { ledger, layout, fork, warnings } = await openBaseLedger(
      { config, ports, home, reset, provision },
      resources,
    );
    return {
      ledger,
      server: resources.add(createServer(context, endpoint, ledger, fork)),
      home,
      layout,
      mints: faucetMints(ledger),
      warnings,
      chainWith(rollup) {
        const facts = { layout, transferLookupTable: readAddress(config, LOCALNET_LOOKUP_TABLE) };
        const parts = ['localnet', ledger, LOCALNET_VALIDATOR, rollup, facts] as const;
        return fork === null ? new LedgerChain(...parts) : new ForkedChain(fork, ...parts);
      },
      unreadiness: () => unreadinessOf(ledger),
      close: () => resources.close(),
    };
  });
}

function createServer(
  context: NodeContext,
  endpoint: NodeEndpoint | null,
  ledger: EmbeddedLedger,
  fork: Fork | null,
): RpcServer {
  const { ledgerCheats, ledgerVoteSubscription } = context.config;
  const served = (methods: readonly RpcMethod[]): readonly RpcMethod[] =>
    fork === null ? methods : forkedMethods(methods, fork);
  return createLedgerServer(context, {
    name: 'ledger',
    ledger,
    figures: ledger,
    node: {
      featureSet: featureSetOf(ledger),
      ...(ledgerCheats && { operator: ledger }),
      ...(fork && { fork }),
    },
    endpoint,
    calls: {
      methods: served(LEDGER_METHODS),
      privateMethods: ledgerCheats ? served(SURFNET_METHODS) : [],
      hasVotes: ledgerVoteSubscription,
    },
  });
}

/** A mint with its display name. */
export interface NamedMint {
  readonly name: string;
  readonly address: Address;
}

/** Mints of the genesis. */
const MINTS: readonly NamedMint[] = [
  { name: 'USDC (6 decimals)', address: USDC_MINT },
  { name: 'USDC of devnet (6 decimals)', address: USDC_DEVNET_MINT },
];

/**
 * The genesis mints that still exist with the faucet as authority: an operator may have put other accounts at
 * their addresses.
 */
function faucetMints(ledger: Pick<EmbeddedLedger, 'faucet' | 'getAccount'>): readonly NamedMint[] {
  return MINTS.filter(({ address }) => {
    const account = ledger.getAccount(address);
    return account !== null && decodeMint(account.data)?.mintAuthority === ledger.faucet;
  });
}
