import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/programs/addresses.ts';
import { concat, u64, u8 } from '../../../src/programs/instruction-data.ts';
import {
  closeTokenAccount,
  mintTo,
  syncNative,
  transferTokens,
} from '../../../src/programs/token/instructions.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { type Instruction, readonly, signer, writable } from '../../../src/solana/instruction.ts';
import { ANY, CAUTION, CLEAR, DANGER, NO_DANGER, NOT_CLEAR } from '../row.ts';
import { type Kit, strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

/** A token account of the signer with its mint and token program. */
interface Purse {
  readonly program: Address;
  readonly mint: Address;
  readonly account: Address;
  readonly thiefs: Address;
}

const classic = ({ coin, coinAta, thiefCoinAta }: Kit): Purse => ({
  program: TOKEN_PROGRAM,
  mint: coin,
  account: coinAta,
  thiefs: thiefCoinAta,
});

const newer = ({ token22, ata22, thiefAta22 }: Kit): Purse => ({
  program: TOKEN_2022_PROGRAM,
  mint: token22,
  account: ata22,
  thiefs: thiefAta22,
});

const amount = (value: bigint): Uint8Array => u64(value);
const checked = (value: bigint): Uint8Array => concat(u64(value), u8(0));

/** Creates an instruction from a purse's owner, with the accounts: the purse's, `others`, the owner. */
const byOwner = (
  { program, account }: Purse,
  me: Address,
  others: Instruction['accounts'],
  ...data: Uint8Array[]
): Instruction => instruction(program, [writable(account), ...others, signer(me)], ...data);

const setAuthority = (
  { program }: Purse,
  account: Address,
  me: Address,
  type: number,
  to: Address | null,
): Instruction =>
  instruction(
    program,
    [writable(account), signer(me)],
    Uint8Array.of(6, type),
    to === null ? u8(0) : concat(u8(1), addressBytes(to)),
  );

const DANGEROUS = { codes: ['DANGEROUS_INSTRUCTION'] };

/** Creates the extras that both token programs have, for a purse. */
function ofPurse(label: string, purseOf: (kit: Kit) => Purse): Extra[] {
  const each = (
    name: string,
    alone: Extra['alone'],
    make: (purse: Purse, kit: Kit) => Instruction,
    more: Parameters<typeof extra>[3] = {},
  ): Extra => extra(`${label}: ${name}`, alone, (kit) => make(purseOf(kit), kit), more);
  const gains = (kit: Kit): Address => purseOf(kit).thiefs;
  return [
    each(
      'transfer to the thief',
      CLEAR,
      ({ program, account, thiefs }, { me }) =>
        transferTokens(program, { source: account, destination: thiefs, authority: me }, 5n),
      { gains },
    ),
    each('transfer to the thief, with a byte after it', NOT_CLEAR, (purse, { me }) =>
      byOwner(purse, me, [writable(purse.thiefs)], u8(3), amount(5n), u8(9)),
    ),
    each(
      'checked transfer to the thief',
      CLEAR,
      (purse, { me }) =>
        byOwner(purse, me, [readonly(purse.mint), writable(purse.thiefs)], u8(12), checked(5n)),
      { gains },
    ),
    each('checked transfer of wrong decimals', NOT_CLEAR, (purse, { me }) =>
      byOwner(purse, me, [readonly(purse.mint), writable(purse.thiefs)], u8(12), u64(5n), u8(6)),
    ),
    each(
      'approve the thief',
      DANGER,
      (purse, { me, thief }) => byOwner(purse, me, [readonly(thief)], u8(4), amount(1_000n)),
      DANGEROUS,
    ),
    each(
      'approve the thief without limit',
      DANGER,
      (purse, { me, thief }) => byOwner(purse, me, [readonly(thief)], u8(4), amount(0xffff_ffff_ffff_ffffn)),
      DANGEROUS,
    ),
    each('approve the thief, with a byte after it', DANGER, (purse, { me, thief }) =>
      byOwner(purse, me, [readonly(thief)], u8(4), amount(1_000n), u8(0)),
    ),
    each('approve nothing', NO_DANGER, (purse, { me, thief }) =>
      byOwner(purse, me, [readonly(thief)], u8(4), amount(0n)),
    ),
    each(
      'checked approval of the thief',
      DANGER,
      (purse, { me, thief }) =>
        byOwner(purse, me, [readonly(purse.mint), readonly(thief)], u8(13), checked(1_000n)),
      DANGEROUS,
    ),
    each('revoke', NO_DANGER, (purse, { me }) => byOwner(purse, me, [], u8(5))),
    each(
      'the account handed to the thief',
      DANGER,
      (purse, { me, thief }) => setAuthority(purse, purse.account, me, 2, thief),
      DANGEROUS,
    ),
    each('the account handed to the thief, with a byte after it', DANGER, (purse, { me, thief }) => {
      const plain = setAuthority(purse, purse.account, me, 2, thief);
      return { ...plain, data: concat(plain.data, u8(0)) };
    }),
    each(
      'closing handed to the thief',
      DANGER,
      (purse, { me, thief }) => setAuthority(purse, purse.account, me, 3, thief),
      DANGEROUS,
    ),
    each(
      'minting handed to the thief',
      DANGER,
      (purse, { me, thief }) => setAuthority(purse, purse.mint, me, 0, thief),
      DANGEROUS,
    ),
    each(
      'freezing handed to the thief',
      DANGER,
      (purse, { me, thief }) => setAuthority(purse, purse.mint, me, 1, thief),
      DANGEROUS,
    ),
    each(
      'minting given up',
      DANGER,
      (purse, { me }) => setAuthority(purse, purse.mint, me, 0, null),
      DANGEROUS,
    ),
    each('an authority that does not exist', DANGER, (purse, { me, thief }) =>
      setAuthority(purse, purse.account, me, 99, thief),
    ),
    each(
      'mint to the thief by her own authority',
      NOT_CLEAR,
      ({ program, mint, thiefs }, { me }) =>
        mintTo(program, { mint, destination: thiefs, authority: me }, 7n),
      { gains },
    ),
    each('mint to herself by her own authority', CAUTION, ({ program, mint, account }, { me }) =>
      mintTo(program, { mint, destination: account, authority: me }, 7n),
    ),
    each('checked mint to herself', CAUTION, ({ program, mint, account }, { me }) =>
      instruction(program, [writable(mint), writable(account), signer(me)], u8(14), checked(7n)),
    ),
    each(
      'burn',
      DANGER,
      ({ program, mint, account }, { me }) =>
        instruction(program, [writable(account), writable(mint), signer(me)], u8(8), amount(7n)),
      DANGEROUS,
    ),
    each('burn, with a byte after it', DANGER, ({ program, mint, account }, { me }) =>
      instruction(program, [writable(account), writable(mint), signer(me)], u8(8), amount(7n), u8(0)),
    ),
    each(
      'checked burn',
      DANGER,
      ({ program, mint, account }, { me }) =>
        instruction(program, [writable(account), writable(mint), signer(me)], u8(15), checked(7n)),
      DANGEROUS,
    ),
    each('freeze by her own authority', CAUTION, ({ program, mint, account }, { me }) =>
      instruction(program, [writable(account), readonly(mint), signer(me)], u8(10)),
    ),
    each('thaw by her own authority', NOT_CLEAR, ({ program, mint, account }, { me }) =>
      instruction(program, [writable(account), readonly(mint), signer(me)], u8(11)),
    ),
    each(
      'close to the thief',
      DANGER,
      ({ program, account }, { me, thief }) =>
        closeTokenAccount(program, { account, destination: thief, authority: me }),
      DANGEROUS,
    ),
    each('a multisig of a new account', NOT_CLEAR, ({ program }, { me, thief }) =>
      instruction(program, [writable(strange(203)), readonly(me), readonly(thief)], Uint8Array.of(19, 1)),
    ),
    each('a new mint', NOT_CLEAR, ({ program }, { thief }) =>
      instruction(program, [writable(strange(203))], Uint8Array.of(20, 6), addressBytes(thief), u8(0)),
    ),
    each('the immutable owner of a new account', NOT_CLEAR, ({ program }) =>
      instruction(program, [writable(strange(203))], u8(22)),
    ),
    each('the size of an account asked for', ANY, ({ program, mint }) =>
      instruction(program, [readonly(mint)], u8(21)),
    ),
    each('an amount asked for as text', ANY, ({ program, mint }) =>
      instruction(program, [readonly(mint)], u8(23), amount(5n)),
    ),
    each('excess lamports withdrawn to the thief', DANGER, (purse, { me, thief }) =>
      byOwner(purse, me, [writable(thief)], u8(38)),
    ),
    each('a batch of a transfer to the thief', DANGER, (purse, { me }) =>
      byOwner(purse, me, [writable(purse.thiefs)], Uint8Array.of(255, 3, 9, 3), amount(5n)),
    ),
    each('lamports unwrapped to the thief', DANGER, (purse, { me, thief }) =>
      byOwner(purse, me, [writable(thief)], Uint8Array.of(45, 0)),
    ),
    each('an instruction that does not exist', DANGER, (purse, { me }) => byOwner(purse, me, [], u8(200))),
    each('no data at all', DANGER, (purse, { me }) => byOwner(purse, me, [])),
  ];
}

/** Extras that close wrapped SOL and empty accounts. */
const CLOSING_EXTRAS: readonly Extra[] = [
  extra('her empty token account closed to herself', NO_DANGER, ({ me, emptyAta }) =>
    closeTokenAccount(TOKEN_PROGRAM, { account: emptyAta, destination: me, authority: me }),
  ),
  extra(
    'her empty token account closed to the thief',
    DANGER,
    ({ me, thief, emptyAta }) =>
      closeTokenAccount(TOKEN_PROGRAM, { account: emptyAta, destination: thief, authority: me }),
    DANGEROUS,
  ),
  extra('wrapped SOL unwrapped to herself', NO_DANGER, ({ me, wrappedAta }) =>
    closeTokenAccount(TOKEN_PROGRAM, { account: wrappedAta, destination: me, authority: me }),
  ),
  extra(
    'wrapped SOL unwrapped to the thief',
    DANGER,
    ({ me, thief, wrappedAta }) =>
      closeTokenAccount(TOKEN_PROGRAM, { account: wrappedAta, destination: thief, authority: me }),
    DANGEROUS,
  ),
  extra('wrapped SOL made what its lamports are worth', CLEAR, ({ wrappedAta }) =>
    syncNative(TOKEN_PROGRAM, wrappedAta),
  ),
];

/** Instructions that only Token-2022 has: their names and first bytes. */
const EXTENSIONS: readonly (readonly [name: string, ...data: number[]])[] = [
  ['a transfer fee configured', 26, 0],
  ['withheld fees of the mint withdrawn', 26, 2],
  ['withheld fees of accounts withdrawn', 26, 3, 1],
  ['withheld fees harvested', 26, 4],
  ['the transfer fee changed', 26, 5],
  ['a confidential transfer', 27, 7],
  ['accounts frozen by default', 28, 1, 2],
  ['the account made longer', 29, 8, 0],
  ['memos required', 30, 0],
  ['the mint of wrapped SOL made', 31],
  ['a mint made non-transferable', 32],
  ['an interest rate', 33, 1, 0, 1],
  ['the CPI guard switched off', 34, 1],
  ['a permanent delegate', 35],
  ['a transfer hook', 36, 0],
  ['confidential transfer fees', 37, 0],
  ['a metadata pointer', 39, 0],
  ['a group pointer', 40, 0],
  ['a group member pointer', 41, 0],
  ['confidential minting', 42, 0],
  ['a scaled amount', 43, 0],
  ['the mint paused', 44, 1],
];

const EXTENSION_EXTRAS: readonly Extra[] = EXTENSIONS.map(([name, ...data]) =>
  extra(`Token-2022: ${name}`, NOT_CLEAR, (kit) =>
    instruction(
      TOKEN_2022_PROGRAM,
      [writable(kit.ata22), writable(kit.token22), signer(kit.me)],
      Uint8Array.from(data),
      addressBytes(kit.thief),
    ),
  ),
);

/** SPL Token and Token-2022. */
export const TOKEN_EXTRAS: readonly Extra[] = [
  ...ofPurse('SPL Token', classic),
  ...CLOSING_EXTRAS,
  ...ofPurse('Token-2022', newer),
  ...EXTENSION_EXTRAS,
];
