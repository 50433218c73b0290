import { expect, it } from 'vitest';
import { challengeFault, ofThisMinute } from './login.ts';

const WALLET = 'CUmACateJHQ2jb5itRLLivMnYqXxUgxqMNLcbR2wqFFd';
const MADE_S = 1_795_303_947;
const TEXT = `Login to Query Filtering Service\nTimestamp: ${MADE_S}\nUser: ${WALLET}`;

it('accepts a login for this wallet and this minute', () => {
  expect(challengeFault(TEXT, WALLET, MADE_S * 1_000 + 59_000)).toBeNull();
  expect(challengeFault(TEXT.replace(`${MADE_S}`, `${MADE_S * 1_000}`), WALLET, MADE_S * 1_000)).toBeNull();
});

it.each([
  ['another wallet', TEXT.replace(WALLET, 'fMcdsQxPV4tWwrDYTzYVnuRhqgkUvD5vHxnTmJwELuDhP'), 0],
  ['a minute ago', TEXT, 61_000],
  ['a minute ahead', TEXT, -61_000],
  ['no wallet', TEXT.replace(/User: .*/, ''), 0],
  ['the bytes of a transaction', `\u0001\u0000${TEXT}`, 0],
  ['text with a direction override', `${TEXT}\u202e`, 0],
  ['an extra line (bug: any text that named the wallet was signed)', `${TEXT}\nI owe the bearer 5 USDC.`, 0],
  ['an extra line at the start', `bank.example wants you to sign in:\n${TEXT}`, 0],
  ['another form', `I, ${WALLET}, owe the bearer 5 USDC.`, 0],
])('rejects one of %s', (_, text, laterMs) => {
  expect(challengeFault(text, WALLET, MADE_S * 1_000 + laterMs)).toEqual(expect.any(String));
});

it('replaces an older text with one of this minute if they differ only in their time', async () => {
  const later = TEXT.replace(`${MADE_S}`, `${MADE_S + 90}`);
  const ask = async (): Promise<string> => later;
  expect(await ofThisMinute(TEXT, MADE_S * 1_000 + 59_000, ask)).toBe(TEXT);
  expect(await ofThisMinute(TEXT, MADE_S * 1_000 + 90_000, ask)).toBe(later);
  const other = async (): Promise<string> => later.replace('Login to', 'Pay');
  expect(await ofThisMinute(TEXT, MADE_S * 1_000 + 90_000, other)).toBe(TEXT);
});
