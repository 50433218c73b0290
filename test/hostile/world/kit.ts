import { createHash } from 'node:crypto';
import { mintAccount } from '../../../src/ledger/genesis/genesis.ts';
import type { Keypair } from '../../../src/ledger/keypair.ts';
import { lookupTable } from '../../../src/ledger/testing/lookup-table.ts';
import { accountOf } from '../../../src/ledger/testing/make-account.ts';
import { nonceAccount } from '../../../src/ledger/testing/nonce-account.ts';
import {
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../src/programs/associated-token.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { mintTo, syncNative } from '../../../src/programs/token/instructions.ts';
import type { PaymentScene } from '../../../src/rollup/testing/payment-scene.ts';
import { type Address, addressBytes, addressOf } from '../../../src/solana/address.ts';

/** Returns an unused address that is derived from a byte. */
export const strange = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));

/** Additional accounts of Alice, which make hidden instructions executable. */
export interface Kit {
  readonly me: Address;
  readonly thief: Address;
  /** The validator of the cluster. */
  readonly validator: Address;
  readonly usdcAta: Address;
  readonly thiefAta: Address;
  /** Her SPL Token mint, with mint and freeze authority. */
  readonly coin: Address;
  readonly coinAta: Address;
  readonly thiefCoinAta: Address;
  /** Her empty token account, and its mint. */
  readonly emptyAta: Address;
  /** Wrapped SOL. */
  readonly wrappedAta: Address;
  /** Her plain Token-2022 mint. */
  readonly token22: Address;
  readonly ata22: Address;
  readonly thiefAta22: Address;
  /**
   * Her durable nonces: one with 1 SOL, one of the old version, and one that is not initialized.
   */
  readonly nonce: Address;
  readonly oldNonce: Address;
  readonly blankNonce: Address;
  /** Her lookup tables: one in use, and one that can be closed. */
  readonly table: Address;
  readonly closableTable: Address;
  /** A system account that is derived from her address and the seed "purse". */
  readonly purse: Address;
}

/** Derives an account from `base` and a seed (`Pubkey::create_with_seed`). */
export const seededAddress = (base: Address, seed: string, owner: Address): Address =>
  addressOf(
    createHash('sha256').update(addressBytes(base)).update(seed).update(addressBytes(owner)).digest(),
  );

const MINTS = { coin: strange(101), empty: strange(102), token22: strange(103) };

export async function equip(scene: PaymentScene, alice: Keypair, thief: Keypair): Promise<Kit> {
  const me = alice.address;
  const ata = (owner: Address, mint: Address, program = TOKEN_PROGRAM): Address =>
    deriveAta(owner, mint, program).address;
  const kit: Kit = {
    me,
    thief: thief.address,
    validator: scene.rollup.identity,
    usdcAta: ata(me, USDC_MINT),
    thiefAta: ata(thief.address, USDC_MINT),
    coin: MINTS.coin,
    coinAta: ata(me, MINTS.coin),
    thiefCoinAta: ata(thief.address, MINTS.coin),
    emptyAta: ata(me, MINTS.empty),
    wrappedAta: ata(me, NATIVE_MINT),
    token22: MINTS.token22,
    ata22: ata(me, MINTS.token22, TOKEN_2022_PROGRAM),
    thiefAta22: ata(thief.address, MINTS.token22, TOKEN_2022_PROGRAM),
    nonce: strange(111),
    oldNonce: strange(112),
    blankNonce: strange(113),
    table: strange(121),
    closableTable: strange(122),
    purse: seededAddress(me, 'purse', SYSTEM_PROGRAM),
  };
  await scene.base.setAccounts(accountsOf(kit));
  for (const [owner, mint, program] of [
    [me, kit.coin, TOKEN_PROGRAM],
    [thief.address, kit.coin, TOKEN_PROGRAM],
    [me, MINTS.empty, TOKEN_PROGRAM],
    [me, NATIVE_MINT, TOKEN_PROGRAM],
    [me, kit.token22, TOKEN_2022_PROGRAM],
    [thief.address, kit.token22, TOKEN_2022_PROGRAM],
  ] as const) {
    const place = { payer: me, owner, mint, ata: ata(owner, mint, program), tokenProgram: program };
    await scene.land(alice, createAtaIdempotent(place));
  }
  await scene.land(
    alice,
    mintTo(TOKEN_PROGRAM, { mint: kit.coin, destination: kit.coinAta, authority: me }, 1_000n),
    mintTo(TOKEN_2022_PROGRAM, { mint: kit.token22, destination: kit.ata22, authority: me }, 1_000n),
    transferLamports(me, kit.wrappedAta, 1_000_000_000n),
    syncNative(TOKEN_PROGRAM, kit.wrappedAta),
  );
  return kit;
}

/** Creates a mint whose authority can mint and freeze. */
function freezableMint(authority: Address) {
  const account = mintAccount(authority, 0);
  account.data[46] = 1;
  account.data.set(addressBytes(authority), 50);
  return account;
}

function accountsOf(kit: Kit) {
  const table = lookupTable([kit.thief, kit.thiefAta]);
  const closable = lookupTable([kit.thief, kit.thiefAta], { deactivated: 0n });
  for (const { data } of [table, closable]) {
    data[21] = 1;
    data.set(addressBytes(kit.me), 22);
  }
  const nonce = nonceAccount(kit.me, new Uint8Array(32).fill(7));
  return [
    [kit.coin, freezableMint(kit.me)],
    [MINTS.empty, freezableMint(kit.me)],
    [kit.token22, { ...freezableMint(kit.me), owner: TOKEN_2022_PROGRAM }],
    [kit.nonce, { ...nonce, lamports: 1_000_000_000n }],
    [kit.oldNonce, nonceAccount(kit.me, new Uint8Array(32).fill(8), { version: 0 })],
    [kit.blankNonce, accountOf(SYSTEM_PROGRAM, new Uint8Array(80))],
    [kit.table, table],
    [kit.closableTable, closable],
    [kit.purse, accountOf(SYSTEM_PROGRAM, new Uint8Array(), 1_000_000_000n)],
  ] as const;
}
