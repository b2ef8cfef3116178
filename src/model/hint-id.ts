/** The pattern of a hint's id. Its number is a version: a hint that changes its meaning gets a new id. */
export const HINT_ID = '^hint_[a-z_]+_\\d{3}$'
