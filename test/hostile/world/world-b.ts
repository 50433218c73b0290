import type { Layout } from '../../../src/chain/chain.ts';
import { Clusters } from '../../../src/chain/clusters.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { HandClock } from '../../../src/ledger/testing/hand-clock.ts';
import { lookupTable } from '../../../src/ledger/testing/lookup-table.ts';
import { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import {
  deriveDelegationAccounts,
  deriveFeesVaultOf,
  deriveMintVault,
} from '../../../src/payments/accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../../../src/payments/accounts/transfer-queue.ts';
import { RENT_PDA } from '../../../src/payments/fees/costs.ts';
import { readyChain } from '../../../src/payments/transfer/testing/ready-chain.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { deriveAta } from '../../../src/programs/associated-token.ts';
import { deriveEata } from '../../../src/programs/ephemeral-token/pdas.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { createOperations } from '../../../src/stack/operations.ts';
import { type MapChain, MapRollup, mintData, tokenAccountData } from '../../ports/map-chain.ts';
import type { Explainer } from '../judge.ts';

const at = (text: string): Address => text as Address;

/** Wallets of a mainnet that runs layout B. */
export const ALICE = at('8RzHqGSjJnKayxwwRERRPrdXVn69nfM2eg5v63Qxz2vL');
export const BOB = at('5wAwJpWRgrMdc7jermX9HgMdouxcDcDRcZPxDFJgW3vw');
export const THIEF = at('DgNYPQUa53YogFZGQFLPHk7AxTAxsKenBAuPAXpVguCN');
export const VALIDATOR = at('MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57');

/** A mint without a transfer queue. */
export const NEW_MINT = at('2wmVCSfPxGPjrnMMn7rchp4uaeoTqN39mXFC2zhPdri9');

/** The lookup table of private transfers. */
const LOOKUP_TABLE = at('54M1BrqVSg1UGTmhH44gQPsPVyuMpmcVBkaY2wYNSVZB');

/** Any bearer token; its owner does not matter here. */
export const TOKEN = 'bearer-token';

/** The operations of a mainnet without simulation. */
interface Network extends Explainer {
  call(
    name: string,
    args: object,
    token?: string,
  ): Promise<{ readonly output: { readonly [member: string]: unknown } }>;
}

/** A mainnet of layout B that is ready for payments. */
export interface WorldB {
  readonly scene: Network;
  readonly chain: MapChain;
}

const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

/** Sets an owner's eATA as delegated to the cluster's validator. */
function delegate(chain: MapChain, owner: Address): void {
  const eata = deriveEata(owner, USDC_MINT).address;
  const data = new Uint8Array(80);
  data.set(addressBytes(owner), 0);
  data.set(addressBytes(USDC_MINT), 32);
  const record = new Uint8Array(96);
  record[0] = 100;
  record.set(addressBytes(VALIDATOR), 8);
  record.set(addressBytes(EPHEMERAL_TOKEN_PROGRAM), 40);
  chain
    .put(eata, { owner: DELEGATION_PROGRAM, data })
    .put(deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM).record, {
      owner: DELEGATION_PROGRAM,
      data: record,
    });
}

/** Returns the accounts that every private transfer of USDC uses. */
function shared(): Address[] {
  const { vault, vaultAta } = deriveMintVault(USDC_MINT, TOKEN_PROGRAM);
  const { queue } = queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM);
  return [TOKEN_PROGRAM, USDC_MINT, RENT_PDA, DELEGATION_PROGRAM, vault.address, vaultAta, queue, VALIDATOR];
}

const cannotTry = (): Promise<never> =>
  Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE', 'The network tries nothing today'));

/** Opens a world. Layout A is only for rows that are judged by their bytes. */
export function openWorldB(layout: Layout = 'b'): WorldB {
  const chain = readyChain({ from: ALICE, to: BOB, mint: USDC_MINT, validator: VALIDATOR });
  const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n };
  const rollup = Object.assign(new MapRollup(), { validator: VALIDATOR, blockhash: THIEF });
  chain.put(NEW_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
  rollup.put(USDC_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) });
  for (const owner of [ALICE, BOB, THIEF]) {
    const tokens = { owner: TOKEN_PROGRAM, data: tokenAccountData(USDC_MINT, owner, 50_000_000n) };
    chain.put(owner, wallet).put(ataOf(owner), tokens);
    rollup.put(owner, wallet).put(ataOf(owner), tokens);
    delegate(chain, owner);
  }
  chain.put(deriveFeesVaultOf(VALIDATOR), { owner: DELEGATION_PROGRAM, data: new Uint8Array(8) });
  chain.put(LOOKUP_TABLE, lookupTable(shared()));
  Object.assign(chain, { layout, rollup, transferLookupTable: LOOKUP_TABLE, simulateTransaction: cannotTry });
  Object.assign(rollup, { simulateTransaction: cannotTry });
  const ports = { clock: new HandClock(), random: new SeededRandom('world b'), logger: silentLogger };
  const operations = createOperations({ gaslessSponsorSecretKey: null }, new Clusters([chain]), ports);
  const named = new Map(operations.map((operation) => [operation.name, operation]));
  return {
    chain,
    scene: {
      async call(name, args, token) {
        const operation = named.get(name);
        if (operation === undefined) throw new Error(`there is no operation ${name}`);
        const { output } = await operation.run(operation.input.parse(args), { token });
        return { output: operation.output.parse(output) as { readonly [member: string]: unknown } };
      },
    },
  };
}
