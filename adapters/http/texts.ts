/**
 * Phrases that mean the same at every service, for messages that come without a code. They are matched
 * after the words that users chose are hidden, and ask for a whole phrase: "rate limit" alone may be a name.
 */

export const LIMIT_REACHED =
  /\b(rate|request|api|call|usage) limits?\b.*\b(exceeded|reached|hit)\b|\b(exceeded|reached|hit)\b.*\b(rate|request|usage) limit|\btoo many requests\b|\bquota (was |has been |is )?exceeded\b|\bexceeded .*\bquota\b/i

export const ALREADY_THERE =
  /\balready (exists?|been taken|in use|taken)\b|\bhas already been\b|\bmust be unique\b/i
