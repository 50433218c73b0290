import { quoted } from '../../errors/quoted-text.ts';
import type { Warning } from '../building/built-transaction.ts';
import { faultsOfHandle } from './handle-faults.ts';

/** Warnings about a handle that resembles another one, whether it is paid or made payable. */
export const warnOfHandle = (handle: string): Warning[] =>
  faultsOfHandle(handle).map(({ code, words }) => ({
    code,
    message: `The stealth handle ${quoted(handle)} ${words}: make sure that it is the very handle that is meant.`,
  }));
