/** Fields that instructions of SPL Token have in common. */
export const amountField = ['amount', 'u64'] as const;
export const checkedFields = [amountField, ['decimals', 'u8']] as const;
