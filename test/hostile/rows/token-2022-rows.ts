import { mintAccount } from '../../../src/ledger/genesis/genesis.ts';
import { buildTransaction } from '../../../src/ledger/testing/test-ledger.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../src/programs/associated-token.ts';
import { u64, u8 } from '../../../src/programs/instruction-data.ts';
import { mintTo } from '../../../src/programs/token/instructions.ts';
import { rentExemptMinimum } from '../../../src/solana/account.ts';
import { type Address, addressBytes } from '../../../src/solana/address.ts';
import { readonly, signer, writable } from '../../../src/solana/instruction.ts';
import { instruction } from '../extras/extra.ts';
import { CLEAR, NO_DANGER, NOT_CLEAR, type Row } from '../row.ts';
import { base64Of } from '../transaction-parts.ts';
import { strange } from '../world/kit.ts';
import { newcomer } from '../world/world.ts';

/** An extension of a mint: its type (u16) and its value (Token-2022 `ExtensionType`). */
type Extension = readonly [type: number, value: Uint8Array];

const NOBODY = new Uint8Array(32);

/** Creates the account of a Token-2022 mint with extensions, with `authority` as its mint authority. */
function extendedMint(authority: Address, extensions: readonly Extension[]) {
  const plain = mintAccount(authority, 6);
  const values = extensions.map(([type, value]) =>
    Buffer.concat([Uint8Array.of(type & 0xff, type >> 8, value.length & 0xff, value.length >> 8), value]),
  );
  const data = new Uint8Array(Buffer.concat([plain.data, new Uint8Array(83), u8(1), ...values]));
  return { ...plain, owner: TOKEN_2022_PROGRAM, data, lamports: rentExemptMinimum(data.length) };
}

/** `TransferFee`: epoch, maximum, basis points. */
const fee = (bps: number) => Buffer.concat([u64(0n), u64(1_000_000n), Uint8Array.of(bps & 0xff, bps >> 8)]);

const feeConfig = (bps: number): Extension => [
  1,
  Buffer.concat([NOBODY, NOBODY, u64(0n), fee(bps), fee(bps)]),
];

const THE_DELEGATE = addressBytes(strange(141));

/**
 * Creates a checked transfer of a mint with these extensions. The real program minted the tokens.
 */
const row = (
  name: string,
  index: number,
  extensions: readonly Extension[],
  expected: Pick<Row, 'alone' | 'codes'>,
): Row => ({
  name: `a transfer of Token-2022 ${name}`,
  ...expected,
  async make(world) {
    const { scene } = world;
    const mint = strange(140 + index);
    const [payer, payee] = [await newcomer(world), await newcomer(world)];
    await scene.base.setAccounts([[mint, extendedMint(payer.address, extensions)]]);
    const ataOf = (owner: Address): Address => deriveAta(owner, mint, TOKEN_2022_PROGRAM).address;
    const [from, to] = [ataOf(payer.address), ataOf(payee.address)];
    const place = { payer: payer.address, mint, tokenProgram: TOKEN_2022_PROGRAM };
    await scene.land(
      payer,
      createAtaIdempotent({ ...place, owner: payer.address, ata: from }),
      createAtaIdempotent({ ...place, owner: payee.address, ata: to }),
      mintTo(TOKEN_2022_PROGRAM, { mint, destination: from, authority: payer.address }, 5_000_000n),
    );
    const transfer = instruction(
      TOKEN_2022_PROGRAM,
      [writable(from), readonly(mint), writable(to), signer(payer.address)],
      u8(12),
      u64(1_000_000n),
      u8(6),
    );
    const { wire } = buildTransaction(scene.base, [payer], [transfer]);
    return { transactionBase64: base64Of(wire), sendTo: 'base', gains: payee.address };
  },
});

/** Transfers of Token-2022 mints that have more effects than transfers of SPL Token. */
export const TOKEN_2022_ROWS: readonly Row[] = [
  row('in a plain mint', 1, [], { alone: CLEAR }),
  row('in a mint that takes a fee', 2, [feeConfig(500)], { alone: NOT_CLEAR, codes: ['TRANSFER_FEE'] }),
  row('in a mint whose fee is nothing', 3, [feeConfig(0)], { alone: NO_DANGER }),
  row('in a mint with a permanent delegate', 4, [[12, THE_DELEGATE]], {
    alone: NOT_CLEAR,
    codes: ['PERMANENT_DELEGATE'],
  }),
  row('in a mint with a transfer hook', 5, [[14, Buffer.concat([NOBODY, THE_DELEGATE])]], {
    alone: NOT_CLEAR,
    codes: ['TRANSFER_HOOK'],
  }),
  row('in a mint that cannot be transferred', 6, [[9, new Uint8Array()]], { alone: NOT_CLEAR }),
  row('in a mint that bears interest', 7, [[10, new Uint8Array(52)]], { alone: NO_DANGER }),
  row('in a mint whose amounts are scaled', 8, [[25, Buffer.concat([NOBODY, scale(), u64(0n), scale()])]], {
    alone: NO_DANGER,
  }),
  row('in a mint that can be paused', 9, [[26, Buffer.concat([THE_DELEGATE, u8(0)])]], { alone: NO_DANGER }),
];

/** Returns the number one as an f64. */
function scale(): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, 1, true);
  return bytes;
}
