import { floatText } from '../../json/float-text.ts';
import { Float64, type JsonOutputObject } from '../../json/json-value.ts';

/** From 10^20 on the divisor is beyond 64 bits and Agave leaves the float out (`10_usize.checked_pow`). */
const FLOAT_DECIMALS_MAX = 19;

const ZERO = 0x30;

/**
 * An amount of a mint as Agave shows it (`UiTokenAmount`): base units, and the same in whole tokens twice.
 */
export function uiTokenAmount(amount: bigint, decimals: number): JsonOutputObject {
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals > FLOAT_DECIMALS_MAX ? null : new Float64(uiAmountFloat(amount, decimals)),
    uiAmountString: uiAmountString(amount, decimals),
  };
}

/**
 * {@link uiTokenAmount} as JSON text: answers to transactions are full of them, and the object would cost
 * more.
 */
export function writeUiTokenAmount(amount: bigint, decimals: number): string {
  const uiAmount = decimals > FLOAT_DECIMALS_MAX ? 'null' : floatText(uiAmountFloat(amount, decimals));
  return `{"amount":"${amount}","decimals":${decimals},"uiAmount":${uiAmount},"uiAmountString":"${uiAmountString(amount, decimals)}"}`;
}

function uiAmountFloat(amount: bigint, decimals: number): number {
  return Number(amount) / 10 ** decimals;
}

/**
 * `amount` base units in whole tokens, exact, without zeros at the end (Agave `real_number_string_trimmed`).
 */
export function uiAmountString(amount: bigint, decimals: number): string {
  const digits = amount.toString();
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  const point = padded.length - decimals;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === ZERO) end--;
  const whole = padded.slice(0, point);
  return end === point ? whole : `${whole}.${padded.slice(point, end)}`;
}
