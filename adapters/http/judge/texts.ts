/**
 * Phrases that mean the same at every service, for messages that come without a code. They are matched
 * after the words that users chose are hidden, and ask for a whole phrase: "rate limit" alone may be a name.
 */

export const LIMIT_REACHED =
  /\b(rate|request|api|call|usage) limits?\b.*\b(exceeded|reached|hit)\b|\b(exceeded|reached|hit)\b.*\b(rate|request|usage) limit|\btoo many requests\b|\bquota (was |has been |is )?exceeded\b|\bexceeded .*\bquota\b|\bout of (call volume|bandwidth) quota\b/i

/** The credential is missing or no good, as opposed to: its owner may not. */
export const UNAUTHENTICATED =
  /\b(must|need to|have to) (authenticate|log ?in|sign ?in|be (authenticated|logged in|signed in))\b|\bauthentication (is )?required\b|\brequires? (you to be )?authenticat(ed|ion)\b|\bcredentials were not provided\b|\b(bad|invalid|expired|missing) (\w+ )?(credentials?|access token|api key|token)\b|\b(token|session|api key) (is |has )?(been )?(not valid|invalid|expired|revoked)\b/i

export const LACKS_SCOPE =
  /\b(missing|required?|requires|insufficient|lacks?|needs?|granted|following)\b.*\bscopes?(?![\w/-])|(?<![\w/-])scopes? (is |are )?(missing|required|insufficient)\b/i

export const ALREADY_THERE =
  /\balready (exists?|been taken|in use|taken)\b|\bhas already been\b|\bmust be unique\b/i
