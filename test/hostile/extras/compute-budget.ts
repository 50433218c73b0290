import { COMPUTE_BUDGET_PROGRAM } from '../../../src/programs/addresses.ts';
import { concat, u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import { writable } from '../../../src/solana/instruction.ts';
import { CLEAR, DANGER, NO_DANGER, NOT_CLEAR, type Verdict } from '../row.ts';
import { extra, type Extra, instruction } from './extra.ts';

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
