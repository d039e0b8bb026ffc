/** Ways in over which the people of `users.yaml` have their names. Elsewhere the same name may be somebody else's. */
export const OWN_SOURCES = ['console', 'api'] as const;
