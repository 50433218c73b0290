import type { EmbeddedLedger } from '../../../ledger/embedded-ledger.ts';
import { mintAccount } from '../../../ledger/genesis/genesis.ts';
import { Keypair } from '../../../ledger/keypair.ts';
import type { HandClock } from '../../../ledger/testing/hand-clock.ts';
import { accountOf, tokenAccount } from '../../../ledger/testing/make-account.ts';
import { buildTransaction, emptyGenesis, openTestLedger } from '../../../ledger/testing/test-ledger.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { derivePermission, type Member, MEMBER_FLAG } from '../../../programs/permission/state.ts';
import { transferTokens } from '../../../programs/token/instructions.ts';
import { type Address, addressOf } from '../../../solana/address.ts';
import { ROLLUP_BOOKS } from '../../books/item.ts';
import { Guards } from '../guards.ts';
import { PrivateViews } from '../private-views.ts';
import { HistoryNames } from '../shown-history.ts';
import { eataAccount, permissionAccount } from './permission-account.ts';

/** A wallet with tokens on the rollup. */
export interface Holder {
  readonly wallet: Keypair;
  readonly address: Address;
  readonly ata: Address;
  readonly eata: Address;
  /** Permission of the eATA; exists on base only if the holder is private. */
  readonly permission: Address;
}

/** Alice's initial amount: digits that appear nowhere else. */
export const ALICE_AMOUNT = 987_654_321_123n;

export const MINT = addressOf(new Uint8Array(32).fill(77));

/**
 * A rollup in the state after settlement, and the base ledger with its permissions. Alice's tokens are
 * private; Bob's and Sam's are not.
 */
export interface PrivateRollup {
  readonly base: EmbeddedLedger;
  readonly rollup: EmbeddedLedger;
  readonly clock: HandClock;
  readonly guards: Guards;
  readonly names: HistoryNames;
  readonly views: PrivateViews;
  readonly alice: Holder;
  readonly bob: Holder;
  readonly sam: Holder;
  /** Pays from `from` to `to` and resolves with the signature. The payment must land. */
  pay(from: Holder, to: Holder, amount: bigint): Promise<string>;
  /** Changes who may read a holder's tokens. */
  permit(holder: Holder, members: readonly Member[] | null): Promise<void>;
  close(): Promise<void>;
}

export async function openPrivateRollup(): Promise<PrivateRollup> {
  const { ledger: base } = await openTestLedger({ genesis: emptyGenesis });
  const guards = new Guards(base);
  const names = new HistoryNames(new Uint8Array(32).fill(9), guards);
  const { ledger: rollup, clock } = await openTestLedger({
    genesis: emptyGenesis,
    slotMs: 50,
    lamportsPerSignature: 0,
    listedUnder: names.namesOf,
  });
  const [alice, bob, sam] = [1, 2, 3].map(holderOf) as [Holder, Holder, Holder];
  const permit = async (holder: Holder, members: readonly Member[] | null): Promise<void> => {
    await base.setAccounts([[holder.permission, permissionAccount(holder.eata, members)]]);
  };
  for (const { eata, address } of [alice, bob, sam]) {
    await base.setAccounts([[eata, eataAccount(address, MINT, 5n, DELEGATION_PROGRAM)]]);
  }
  await permit(alice, [
    { flags: 0, address: EPHEMERAL_TOKEN_PROGRAM },
    { flags: MEMBER_FLAG.authority, address: alice.address },
  ]);
  await rollup.setAccounts([
    [MINT, mintAccount(null, 6)],
    [ROLLUP_BOOKS, accountOf(ROLLUP_BOOKS, Buffer.from(`settle ${ALICE_AMOUNT}`))],
    ...tokensOf(alice, ALICE_AMOUNT, { delegate: sam.address }),
    ...tokensOf(bob, 1_000n),
    ...tokensOf(sam, 2_000n),
  ]);
  return {
    base,
    rollup,
    clock,
    guards,
    names,
    alice,
    bob,
    sam,
    permit,
    views: new PrivateViews(rollup, guards, names),
    async pay(from, to, amount) {
      const accounts = { source: from.ata, destination: to.ata, authority: from.address };
      const transaction = buildTransaction(
        rollup,
        [from.wallet],
        [transferTokens(TOKEN_PROGRAM, accounts, amount)],
      );
      const { err, signature } = await rollup.submit(transaction);
      if (err !== null) throw new Error(JSON.stringify(err));
      return signature;
    },
    async close() {
      guards.close();
      await rollup.close();
      await base.close();
    },
  };
}

function holderOf(seed: number): Holder {
  const wallet = new Keypair(new Uint8Array(32).fill(seed));
  const eata = deriveEata(wallet.address, MINT).address;
  return {
    wallet,
    address: wallet.address,
    ata: deriveAta(wallet.address, MINT, TOKEN_PROGRAM).address,
    eata,
    permission: derivePermission(eata).address,
  };
}

/** Returns the two accounts that show a holder's tokens on the rollup. */
function tokensOf(
  { address, ata, eata }: Holder,
  amount: bigint,
  options: Parameters<typeof tokenAccount>[2] = {},
) {
  return [
    [ata, tokenAccount({ mint: MINT, owner: address }, amount, options)],
    [eata, eataAccount(address, MINT, amount, EPHEMERAL_TOKEN_PROGRAM)],
  ] as const;
}
