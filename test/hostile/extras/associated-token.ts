import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../../src/programs/associated-token.ts';
import { u8 } from '../../../src/programs/instruction-data.ts';
import type { Address } from '../../../src/solana/address.ts';
import { readonly, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { DANGER, NO_DANGER, NOT_CLEAR } from '../row.ts';
import { type Kit, strange } from '../world/kit.ts';
import { extra, type Extra, instruction } from './extra.ts';

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
