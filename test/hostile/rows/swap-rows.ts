import { deriveDepositAccounts } from '../../../src/payments/accounts/deposit-accounts.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ELSEWHERE, usdcOf } from '../extras/eata-program.ts';
import { ANY, CLEAR, DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { rebuilt, withAddress, withAddressInData } from '../transaction-parts.ts';
import { type HostName, HOSTS } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import type { World } from '../world/world.ts';

type Of = (world: World) => Address;

interface Swap {
  readonly what: string;
  readonly alone: Row['alone'];
  readonly found: Of;
  readonly put: Of;
  readonly gains?: Of;
}

const swap = (what: string, alone: Row['alone'], found: Of, put: Of, gains?: Of): Swap => ({
  what,
  alone,
  found,
  put,
  ...(gains === undefined ? {} : { gains }),
});

const rowsOf = (host: HostName, swaps: readonly Swap[]): Row[] =>
  swaps.map(({ what, alone, found, put, gains }) => ({
    name: `${host}, with ${what}`,
    alone,
    asked: ['no'],
    async make(world) {
      const offer = rebuilt(await HOSTS[host](world), (parts) => {
        const [from, to] = [found(world), put(world)];
        const changed = withAddressInData(withAddress(parts, from, to), from, to);
        if (JSON.stringify(changed) === JSON.stringify(parts))
          throw new Error(`${from} is not in the ${host}`);
        return changed;
      });
      return gains === undefined ? offer : { ...offer, gains: gains(world) };
    },
  }));

const alice = (world: World) => usdcOf(world.alice.address);
const bob = (world: World) => usdcOf(world.bob.address);
const dora = (world: World) => usdcOf(world.dora.address);
const thief = (world: World) => usdcOf(world.thief.address);
const coinVault = ({ kit }: World) => deriveDepositAccounts(kit.me, kit.coin, TOKEN_PROGRAM);
const fixed =
  (address: Address): Of =>
  () =>
    address;

/** The swaps that deposits and withdrawals share. */
const vaultSwaps: readonly Swap[] = [
  swap(
    "the thief's eATA",
    DANGER,
    (w) => alice(w).eata,
    (w) => thief(w).eata,
  ),
  swap(
    'the vault of another mint',
    DANGER,
    (w) => alice(w).vault,
    (w) => coinVault(w).vault.address,
  ),
  swap(
    "the thief's token account for the vault's",
    DANGER,
    (w) => alice(w).vaultAta,
    (w) => thief(w).ownerAta,
  ),
  swap(
    "the thief's token account for her own",
    DANGER,
    (w) => alice(w).ownerAta,
    (w) => thief(w).ownerAta,
  ),
  swap(
    "Bob's token account for her own",
    DANGER,
    (w) => alice(w).ownerAta,
    (w) => bob(w).ownerAta,
  ),
  swap('another mint', DANGER, fixed(USDC_MINT), fixed(USDC_DEVNET_MINT)),
  swap('the mint of a stranger', DANGER, fixed(USDC_MINT), ({ kit }) => kit.coin),
  swap('Token-2022 for SPL Token', DANGER, fixed(TOKEN_PROGRAM), fixed(TOKEN_2022_PROGRAM)),
  swap('a strange token program', DANGER, fixed(TOKEN_PROGRAM), fixed(strange(230))),
  swap('a strange eATA program', DANGER, fixed(EPHEMERAL_TOKEN_PROGRAM), fixed(strange(231))),
  swap(
    'the thief in her place everywhere',
    ANY,
    ({ alice: { address } }) => address,
    (w) => w.thief.address,
  ),
  swap("the token account of a mint for the vault's", DANGER, (w) => alice(w).vaultAta, fixed(USDC_MINT)),
];

const depositSwaps: readonly Swap[] = [
  swap('another validator', DANGER, ({ kit }) => kit.validator, fixed(ELSEWHERE)),
  swap(
    'the thief as the validator',
    DANGER,
    ({ kit }) => kit.validator,
    (w) => w.thief.address,
  ),
  swap(
    "the thief's permission",
    DANGER,
    (w) => alice(w).permission,
    (w) => thief(w).permission,
  ),
  swap(
    "the thief's buffer",
    DANGER,
    (w) => alice(w).delegation.buffer,
    (w) => thief(w).delegation.buffer,
  ),
  swap(
    "the thief's delegation record",
    DANGER,
    (w) => alice(w).delegation.record,
    (w) => thief(w).delegation.record,
  ),
  swap(
    "the thief's delegation metadata",
    DANGER,
    (w) => alice(w).delegation.metadata,
    (w) => thief(w).delegation.metadata,
  ),
];

const transferSwaps: readonly Swap[] = [
  swap(
    'the thief for the recipient',
    CLEAR,
    (w) => bob(w).ownerAta,
    (w) => thief(w).ownerAta,
    (w) => w.thief.address,
  ),
  swap(
    "the thief's account for the sender's",
    NOT_CLEAR,
    (w) => alice(w).ownerAta,
    (w) => thief(w).ownerAta,
  ),
  swap(
    'the thief in her place everywhere',
    NOT_CLEAR,
    (w) => w.alice.address,
    (w) => w.thief.address,
  ),
  swap('a mint for the recipient', NOT_CLEAR, (w) => bob(w).ownerAta, fixed(USDC_MINT)),
  swap(
    'the eATA of the recipient',
    NOT_CLEAR,
    (w) => bob(w).ownerAta,
    (w) => bob(w).eata,
  ),
  swap(
    'the wallet of the recipient',
    NOT_CLEAR,
    (w) => bob(w).ownerAta,
    (w) => w.bob.address,
  ),
  swap('an account that does not exist', NOT_CLEAR, (w) => bob(w).ownerAta, fixed(strange(232))),
  swap(
    'an account of another mint',
    NOT_CLEAR,
    (w) => bob(w).ownerAta,
    ({ kit }) => kit.thiefCoinAta,
  ),
  swap('Token-2022 for SPL Token', NOT_CLEAR, fixed(TOKEN_PROGRAM), fixed(TOKEN_2022_PROGRAM)),
  swap('a strange program for SPL Token', DANGER, fixed(TOKEN_PROGRAM), fixed(strange(233))),
];

const rollupTransferSwaps: readonly Swap[] = [
  swap(
    'the thief for the recipient',
    CLEAR,
    (w) => bob(w).ownerAta,
    (w) => thief(w).ownerAta,
    (w) => w.thief.address,
  ),
  swap(
    "Paul's account for the sender's",
    NOT_CLEAR,
    (w) => dora(w).ownerAta,
    (w) => usdcOf(w.paul.address).ownerAta,
  ),
  swap(
    'the thief in her place everywhere',
    NOT_CLEAR,
    (w) => w.dora.address,
    (w) => w.thief.address,
  ),
  swap(
    'the eATA of the recipient',
    NOT_CLEAR,
    (w) => bob(w).ownerAta,
    (w) => bob(w).eata,
  ),
  swap('an account that does not exist', NOT_CLEAR, (w) => bob(w).ownerAta, fixed(strange(232))),
  swap('a strange program for SPL Token', DANGER, fixed(TOKEN_PROGRAM), fixed(strange(233))),
];

const undelegateSwaps: readonly Swap[] = [
  swap(
    "the thief's token account",
    NOT_CLEAR,
    (w) => dora(w).ownerAta,
    (w) => thief(w).ownerAta,
  ),
  swap(
    "Paul's eATA",
    NOT_CLEAR,
    (w) => dora(w).eata,
    (w) => usdcOf(w.paul.address).eata,
  ),
  swap(
    "Bob's eATA",
    DANGER,
    (w) => dora(w).eata,
    (w) => bob(w).eata,
  ),
  swap('a strange context', DANGER, fixed(MAGIC_CONTEXT), fixed(strange(234))),
  swap(
    'the thief in her place everywhere',
    NOT_CLEAR,
    (w) => w.dora.address,
    (w) => w.thief.address,
  ),
  swap('a strange eATA program', DANGER, fixed(EPHEMERAL_TOKEN_PROGRAM), fixed(strange(231))),
];

/** Transactions in which one account is replaced with another everywhere. */
export const SWAP_ROWS: readonly Row[] = [
  ...rowsOf('deposit', [...vaultSwaps, ...depositSwaps]),
  ...rowsOf('withdraw', vaultSwaps),
  ...rowsOf('transfer', transferSwaps),
  ...rowsOf('rollupTransfer', rollupTransferSwaps),
  ...rowsOf('undelegate', undelegateSwaps),
];
