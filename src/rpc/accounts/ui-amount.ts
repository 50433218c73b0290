import { floatText } from '../../json/float-text.ts';
import { Float64, type JsonOutputObject } from '../../json/json-value.ts';

/** From 10^20 on the divisor exceeds 64 bits and Agave omits the float (`10_usize.checked_pow`). */
const FLOAT_DECIMALS_MAX = 19;

const ZERO = 0x30;

/**
 * An amount as Agave shows it (`UiTokenAmount`): in base units, and in whole tokens as a float and as text.
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
 * {@link uiTokenAmount} as JSON text. Transactions contain many of them, and building objects would cost
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
 * `amount` base units in whole tokens, exact, without trailing zeros (Agave `real_number_string_trimmed`).
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
