/** Bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
}

/** What base64 stands for; null where the text is none. White space is allowed: texts are pasted. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const compact = text.replaceAll(/\s+/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 === 1) return null;
  try {
    return Uint8Array.from(atob(compact), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}
