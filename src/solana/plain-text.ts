/**
 * Texts that a wallet may sign. They start with a visible character or a space. Such a text is never the
 * message of a transaction, because its first byte would require at least 32 signatures, whose keys alone
 * have 1,024 bytes.
 */
const PLAIN_TEXT = /^[\x20-\x7e][\x20-\x7e\r\n\t]{0,1023}$/;

/**
 * Whether a text is plain ASCII of 1 to 1,024 characters. Such a text is never a valid transaction, so
 * signing it cannot authorize one.
 */
export const isPlainText = (text: string): boolean => PLAIN_TEXT.test(text);
