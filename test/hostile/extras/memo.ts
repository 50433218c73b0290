import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../../src/programs/addresses.ts';
import { addMemo } from '../../../src/programs/memo.ts';
import { signer } from '../../../src/solana/instruction.ts';
import { CAUTION, CLEAR, NOT_CLEAR, NO_DANGER, type Verdict } from '../row.ts';
import { extra, instruction, type Extra } from './extra.ts';

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
