import { advanceNonce, createAccount, initializeNonce } from '../../../src/ledger/testing/instructions.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../src/programs/addresses.ts';
import { concat, u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '../../../src/programs/sysvars.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { readonly, signer, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { CLEAR, DANGER, NO_DANGER, NOT_CLEAR } from '../row.ts';
import { type Kit, seededAddress, strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

/** An unknown program. */
const PROGRAM = strange(200);
const NEW_ACCOUNT = strange(201);

const TOKEN_ACCOUNT = { lamports: 2_039_280n, space: 165n, owner: TOKEN_PROGRAM };

/** Encodes text with a u64 length, as in bincode. */
const seedField = (seed: string) => concat(u64(BigInt(seed.length)), new Uint8Array(Buffer.from(seed)));

const createWithSeed = ({ me }: Kit, owner: Address, lamports: bigint, space: bigint) =>
  instruction(
    SYSTEM_PROGRAM,
    [writableSigner(me), writable(seededAddress(me, 'new', owner))],
    u32(3),
    addressBytes(me),
    seedField('new'),
    u64(lamports),
    u64(space),
    addressBytes(owner),
  );

const assign = (account: Address, owner: Address, ...more: Uint8Array[]) =>
  instruction(SYSTEM_PROGRAM, [writableSigner(account)], u32(1), addressBytes(owner), ...more);

const allocate = (account: Address, space: bigint, ...more: Uint8Array[]) =>
  instruction(SYSTEM_PROGRAM, [writableSigner(account)], u32(8), u64(space), ...more);

const withdrawNonce = (nonce: Address, to: Address, authority: Address, lamports: bigint) =>
  instruction(
    SYSTEM_PROGRAM,
    [
      writable(nonce),
      writable(to),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      readonly(RENT_SYSVAR),
      signer(authority),
    ],
    u32(5),
    u64(lamports),
  );

const initializeAccount3 = (account: Address, owner: Address) =>
  instruction(TOKEN_PROGRAM, [writable(account), readonly(USDC_MINT)], u8(18), addressBytes(owner));

const initializeAccount2 = (account: Address, owner: Address) =>
  instruction(
    TOKEN_PROGRAM,
    [writable(account), readonly(USDC_MINT), readonly(RENT_SYSVAR)],
    u8(16),
    addressBytes(owner),
  );

const initializeAccount = (account: Address, owner: Address) =>
  instruction(
    TOKEN_PROGRAM,
    [writable(account), readonly(USDC_MINT), readonly(owner), readonly(RENT_SYSVAR)],
    u8(1),
  );

/** Creates an instruction for an account that is derived from a seed and owned by `PROGRAM`. */
const seeded = ({ me }: Kit, tag: number, ...fields: Uint8Array[]) =>
  instruction(
    SYSTEM_PROGRAM,
    [writable(seededAddress(me, 'odd', PROGRAM)), signer(me)],
    u32(tag),
    addressBytes(me),
    seedField('odd'),
    ...fields,
    addressBytes(PROGRAM),
  );

const transferWithSeed = ({ me, purse }: Kit, to: Address, lamports: bigint) =>
  instruction(
    SYSTEM_PROGRAM,
    [writable(purse), signer(me), writable(to)],
    u32(11),
    u64(lamports),
    seedField('purse'),
    addressBytes(SYSTEM_PROGRAM),
  );

const gains = (kit: Kit): Address => kit.thief;

/** The system program. */
export const SYSTEM_EXTRAS: readonly Extra[] = [
  extra('a new account of somebody else, with a SOL in it', NOT_CLEAR, ({ me }) =>
    createAccount(me, NEW_ACCOUNT, { lamports: 1_000_000_000n, space: 0n, owner: SYSTEM_PROGRAM }),
  ),
  extra('an account of an unknown program, with a SOL in it', DANGER, ({ me }) =>
    createAccount(me, NEW_ACCOUNT, { lamports: 1_000_000_000n, space: 0n, owner: PROGRAM }),
  ),
  extra("a new token account that is made the thief's by initializeAccount", DANGER, ({ me, thief }) => [
    createAccount(me, NEW_ACCOUNT, { ...TOKEN_ACCOUNT, lamports: 2_000_000_000n }),
    initializeAccount(NEW_ACCOUNT, thief),
  ]),
  extra("a new token account that is made the thief's by initializeAccount2", DANGER, ({ me, thief }) => [
    createAccount(me, NEW_ACCOUNT, TOKEN_ACCOUNT),
    initializeAccount2(NEW_ACCOUNT, thief),
  ]),
  extra("a new token account that is made the thief's by initializeAccount3", DANGER, ({ me, thief }) => [
    createAccount(me, NEW_ACCOUNT, TOKEN_ACCOUNT),
    initializeAccount3(NEW_ACCOUNT, thief),
  ]),
  extra('the wallet assigned to an unknown program', DANGER, ({ me }) => assign(me, PROGRAM)),
  extra('the wallet assigned to SPL Token', DANGER, ({ me }) => assign(me, TOKEN_PROGRAM)),
  extra('the wallet assigned, with a byte after it', DANGER, ({ me }) => assign(me, PROGRAM, u8(0))),
  extra('lamports to the thief', CLEAR, ({ me, thief }) => transferLamports(me, thief, 1_000_000n), {
    gains,
  }),
  extra('lamports to the thief, with a byte after it', NOT_CLEAR, ({ me, thief }) => {
    const plain = transferLamports(me, thief, 1_000_000n);
    return { ...plain, data: concat(plain.data, u8(0)) };
  }),
  extra('a seeded account of an unknown program, with a SOL in it', DANGER, (kit) =>
    createWithSeed(kit, PROGRAM, 1_000_000_000n, 0n),
  ),
  extra("a seeded token account that is made the thief's", DANGER, (kit) => [
    createWithSeed(kit, TOKEN_PROGRAM, 2_039_280n, 165n),
    initializeAccount3(seededAddress(kit.me, 'new', TOKEN_PROGRAM), kit.thief),
  ]),
  extra('a durable nonce used up', DANGER, ({ me, nonce }) => advanceNonce(nonce, me), {
    codes: ['DANGEROUS_INSTRUCTION'],
  }),
  extra('a nonce account partly emptied to the thief', DANGER, ({ me, thief, nonce }) =>
    withdrawNonce(nonce, thief, me, 500_000_000n),
  ),
  extra('a nonce account wholly emptied to the thief', DANGER, ({ me, thief, nonce }) =>
    withdrawNonce(nonce, thief, me, 1_000_000_000n),
  ),
  extra("a nonce account made the thief's", DANGER, ({ blankNonce, thief }) =>
    initializeNonce(blankNonce, thief),
  ),
  extra('the authority of a nonce handed to the thief', DANGER, ({ me, nonce, thief }) =>
    instruction(SYSTEM_PROGRAM, [writable(nonce), signer(me)], u32(7), addressBytes(thief)),
  ),
  extra('a nonce account of the old version upgraded', NO_DANGER, ({ oldNonce }) =>
    instruction(SYSTEM_PROGRAM, [writable(oldNonce)], u32(12)),
  ),
  extra('the wallet given data', DANGER, ({ me }) => allocate(me, 1n)),
  extra('the wallet given data, with a byte after it', DANGER, ({ me }) => allocate(me, 1n, u8(0))),
  extra('a seeded account given data and an unknown program', DANGER, (kit) => seeded(kit, 9, u64(8n))),
  extra('a seeded account given to an unknown program', DANGER, (kit) => seeded(kit, 10)),
  extra(
    'lamports of a seeded account to the thief',
    NO_DANGER,
    (kit) => transferWithSeed(kit, kit.thief, 5_000_000n),
    { gains },
  ),
  extra('a system instruction that does not exist', DANGER, ({ me, thief }) =>
    instruction(SYSTEM_PROGRAM, [writableSigner(me), writable(thief)], u32(77), u64(1n)),
  ),
  extra('a system instruction of three bytes', DANGER, ({ me, thief }) =>
    instruction(SYSTEM_PROGRAM, [writableSigner(me), writable(thief)], Uint8Array.of(2, 0, 0)),
  ),
  extra('a system transfer with an amount cut short', DANGER, ({ me, thief }) =>
    instruction(SYSTEM_PROGRAM, [writableSigner(me), writable(thief)], u32(2), Uint8Array.of(1, 0, 0)),
  ),
  extra('a system transfer with an account more', NOT_CLEAR, ({ me, thief }) => {
    const plain = transferLamports(me, thief, 1_000_000n);
    return { ...plain, accounts: [...plain.accounts, writable(strange(202))] };
  }),
];
