import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  NOOP_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../src/programs/associated-token.ts';
import { concat, u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import { addMemo } from '../../../src/programs/memo.ts';
import { addressBytes, type Address } from '../../../src/solana/address.ts';
import { readonly, signer, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { CAUTION, CLEAR, DANGER, NOT_CLEAR, NO_DANGER, type Verdict } from '../row.ts';
import { strange, type Kit } from '../world/kit.ts';
import { extra, instruction, type Extra } from './extra.ts';

const ataAccounts = ({ me }: Kit, ata: Address, owner: Address, program = TOKEN_PROGRAM) => [
  writableSigner(me),
  writable(ata),
  readonly(owner),
  readonly(USDC_MINT),
  readonly(SYSTEM_PROGRAM),
  readonly(program),
];

const POOR = strange(210);
const poorAta = deriveAta(POOR, USDC_MINT, TOKEN_PROGRAM).address;

/** The associated token account program. */
export const ATA_EXTRAS: readonly Extra[] = [
  extra('a token account of the thief that is there already', NO_DANGER, ({ me, thief, thiefAta }) =>
    createAtaIdempotent({
      payer: me,
      ata: thiefAta,
      owner: thief,
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM,
    }),
  ),
  extra(
    'a token account of a stranger, at her expense',
    NO_DANGER,
    ({ me }) =>
      createAtaIdempotent({
        payer: me,
        ata: poorAta,
        owner: POOR,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
    { gains: () => poorAta },
  ),
  extra(
    'a token account of a stranger, not idempotent',
    NO_DANGER,
    (kit) => instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, poorAta, POOR), u8(0)),
    { gains: () => poorAta },
  ),
  extra('a token account of a stranger, by no data', NO_DANGER, (kit) =>
    instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, poorAta, POOR)),
  ),
  extra(
    'a token account that is not derived from its owner',
    DANGER,
    (kit) => instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, strange(211), POOR), u8(1)),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra(
    'a token account of the other token program',
    DANGER,
    (kit) =>
      instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, poorAta, POOR, TOKEN_2022_PROGRAM), u8(1)),
    { codes: ['WRONG_ACCOUNT'] },
  ),
  extra('a token account, with a byte after it', NOT_CLEAR, (kit) =>
    instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, poorAta, POOR), Uint8Array.of(1, 0)),
  ),
  extra('a nested token account recovered', DANGER, ({ me, usdcAta, thiefAta }) =>
    instruction(
      ASSOCIATED_TOKEN_PROGRAM,
      [
        writable(usdcAta),
        readonly(USDC_MINT),
        writable(thiefAta),
        readonly(usdcAta),
        readonly(USDC_MINT),
        writableSigner(me),
        readonly(TOKEN_PROGRAM),
      ],
      u8(2),
    ),
  ),
  extra('an instruction of the ATA program that does not exist', DANGER, (kit) =>
    instruction(ASSOCIATED_TOKEN_PROGRAM, ataAccounts(kit, poorAta, POOR), u8(9)),
  ),
];

const memo = (name: string, alone: readonly Verdict[], text: string): Extra =>
  extra(`a memo ${name}`, alone, () => addMemo(text), {
    codes: alone === CAUTION ? ['INVISIBLE_CHARACTERS'] : [],
  });

/** The memo programs. */
export const MEMO_EXTRAS: readonly Extra[] = [
  memo('in plain words', CLEAR, 'Order 1042'),
  memo('in Greek', CLEAR, 'Ευχαριστώ πολύ'),
  memo('of nothing', NO_DANGER, ''),
  memo('with a zero-width space', CAUTION, 'pay\u200Bpal'),
  memo('that turns the reading direction', CAUTION, 'invoice \u202Efdp.exe'),
  memo('with an isolate of direction', CAUTION, 'a\u2066b\u2069'),
  memo('with a control character', CAUTION, 'order\u0007'),
  memo('with an escape sequence', CAUTION, '\u001b[2Kapproved'),
  memo('with a line feed', NO_DANGER, 'line one\nline two'),
  memo('with a soft hyphen', CAUTION, 'pay\u00ADment'),
  memo('with letters of the tag block', CAUTION, 'ok\u{E0041}\u{E0042}'),
  memo('with a byte order mark', CAUTION, '\uFEFFok'),
  memo('with a variation selector of the supplement', CAUTION, 'ok\u{E0101}'),
  extra('a memo that is not UTF-8', NOT_CLEAR, () =>
    instruction(MEMO_PROGRAM, [], Uint8Array.of(0xc3, 0x28)),
  ),
  extra('a memo that she signs', CLEAR, ({ me }) =>
    instruction(MEMO_PROGRAM, [signer(me)], new Uint8Array(Buffer.from('I owe a million'))),
  ),
  extra('a memo that the thief signs', NO_DANGER, ({ thief }) =>
    instruction(MEMO_PROGRAM, [signer(thief)], new Uint8Array(Buffer.from('Hello'))),
  ),
  extra('a memo of the old program', NO_DANGER, () =>
    instruction(MEMO_PROGRAM_V1, [], new Uint8Array(Buffer.from('Order 1042'))),
  ),
];

const budget = (name: string, alone: readonly Verdict[], ...data: Uint8Array[]): Extra =>
  extra(`compute budget: ${name}`, alone, () =>
    data.map((each) => instruction(COMPUTE_BUDGET_PROGRAM, [], each)),
  );

const limit = (units: number) => concat(u8(2), u32(units));
const price = (microLamports: bigint) => concat(u8(3), u64(microLamports));

/** The compute budget program. */
export const BUDGET_EXTRAS: readonly Extra[] = [
  budget('a limit', CLEAR, limit(400_000)),
  budget('a small price', CLEAR, price(1_000n)),
  budget('a price that takes a hundred SOL', DANGER, price(100_000_000_000n)),
  budget('a price that takes all there is', DANGER, price(0xffff_ffff_ffff_ffffn)),
  budget('a price that a high limit makes high', DANGER, limit(1_400_000), price(10_000_000n)),
  budget('a high price, with a byte after it', DANGER, concat(price(100_000_000_000n), u8(0))),
  budget('a limit with a byte after it', NOT_CLEAR, concat(limit(400_000), u8(0))),
  budget(
    'a limit with a byte after it that makes a price high',
    DANGER,
    concat(limit(1_400_000), u8(0)),
    price(10_000_000n),
  ),
  budget('two limits', NOT_CLEAR, limit(400_000), limit(500_000)),
  budget('two prices', NOT_CLEAR, price(1n), price(2n)),
  budget('a limit of nothing', NOT_CLEAR, limit(0)),
  budget('a limit above what there is', NO_DANGER, limit(0xffff_ffff)),
  budget('a heap', CLEAR, concat(u8(1), u32(65_536))),
  budget('a heap of an odd size', NOT_CLEAR, concat(u8(1), u32(65_537))),
  budget('a bound on loaded data', NO_DANGER, concat(u8(4), u32(64 * 1024 * 1024))),
  budget('a bound on loaded data of one byte', NOT_CLEAR, concat(u8(4), u32(1))),
  budget('the form that is gone', NOT_CLEAR, concat(u8(0), u32(1_400_000), u32(1_000_000))),
  budget('an instruction that does not exist', NOT_CLEAR, u8(77)),
  budget('no data', NOT_CLEAR, new Uint8Array()),
  extra('compute budget: a limit that names an account', NOT_CLEAR, ({ thief }) =>
    instruction(COMPUTE_BUDGET_PROGRAM, [writable(thief)], limit(400_000)),
  ),
];

const table = (
  name: string,
  alone: readonly Verdict[],
  make: (kit: Kit) => ReturnType<typeof instruction>,
): Extra => extra(`lookup table: ${name}`, alone, make);

/** The address lookup table program. */
export const TABLE_EXTRAS: readonly Extra[] = [
  table('hers is extended', NOT_CLEAR, ({ me, table: at, thief }) =>
    instruction(
      ADDRESS_LOOKUP_TABLE_PROGRAM,
      [writable(at), signer(me), writableSigner(me), readonly(SYSTEM_PROGRAM)],
      u32(2),
      u64(1n),
      addressBytes(thief),
    ),
  ),
  table('hers is frozen', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(1)),
  ),
  table('hers is put out of use', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(3)),
  ),
  table('hers is put out of use, with a byte after it', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(3), u8(0)),
  ),
  table('hers is closed to the thief', DANGER, ({ me, closableTable, thief }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(closableTable), signer(me), writable(thief)], u32(4)),
  ),
  table('one under the thief, at her expense', NOT_CLEAR, ({ me, thief }) =>
    instruction(
      ADDRESS_LOOKUP_TABLE_PROGRAM,
      [writable(strange(212)), readonly(thief), writableSigner(me), readonly(SYSTEM_PROGRAM)],
      u32(0),
      u64(1n),
      u8(255),
    ),
  ),
  table('an instruction that does not exist', DANGER, ({ me, table: at }) =>
    instruction(ADDRESS_LOOKUP_TABLE_PROGRAM, [writable(at), signer(me)], u32(9)),
  ),
];

const KNOWN_TO_AGAVE: readonly (readonly [name: string, program: string])[] = [
  ['the upgradeable loader', BPF_LOADER_UPGRADEABLE],
  ['the stake program', 'Stake11111111111111111111111111111111111111'],
  ['the vote program', 'Vote111111111111111111111111111111111111111'],
  ['the config program', 'Config1111111111111111111111111111111111111'],
  ['the ed25519 program', 'Ed25519SigVerify111111111111111111111111111'],
  ['the secp256k1 program', 'KeccakSecp256k11111111111111111111111111111'],
  ['the loader v4', 'LoaderV411111111111111111111111111111111111'],
  ['the proof program', 'ZkE1Gama1Proof11111111111111111111111111111'],
  ['the no-op program', NOOP_PROGRAM],
];

/** Programs that payments have nothing to do with. */
export const UNKNOWN_EXTRAS: readonly Extra[] = [
  ...KNOWN_TO_AGAVE.map(([name, program]) =>
    extra(
      `a call of ${name}`,
      DANGER,
      ({ me, thief }) =>
        instruction(program as Address, [writableSigner(me), writable(thief)], u32(4), u64(1n)),
      { codes: ['UNKNOWN_PROGRAM'] },
    ),
  ),
  extra(
    'a call of a program that nobody knows',
    DANGER,
    ({ me, usdcAta }) => instruction(strange(213), [writableSigner(me), writable(usdcAta)], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
  extra(
    'a call of a program that nobody knows, without accounts',
    DANGER,
    () => instruction(strange(213), [], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
  extra(
    'a call of a token account as if it were a program',
    DANGER,
    ({ thiefAta, me }) => instruction(thiefAta, [writableSigner(me)], u8(0)),
    { codes: ['UNKNOWN_PROGRAM'] },
  ),
];
