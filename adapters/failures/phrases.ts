/**
 * Phrases that mean the same at every service, for messages without a machine code. Match them only
 * after masking the words that users chose. Each pattern requires a whole phrase: "rate limit" alone may
 * be a name.
 */

export const LIMIT_REACHED =
  /\b(rate|request|api|call|usage) limits?\b.{0,200}\b(exceeded|reached|hit)\b|\b(exceeded|reached|hit)\b.{0,200}\b(rate|request|usage) limit|\btoo many requests\b|\bquota (was |has been |is )?exceeded\b|\bexceeded .{0,200}\bquota\b|\bout of (call volume|bandwidth) quota\b/i

/** The credential is missing or invalid. (Not: its owner lacks a permission.) */
export const UNAUTHENTICATED =
  /\b(must|need to|have to) (authenticate|log ?in|sign ?in|be (authenticated|logged in|signed in))\b|\bauthentication (is )?required\b|\brequires? (you to be )?authenticat(ed|ion)\b|\bcredentials were not provided\b|\b(bad|invalid|expired|missing) (\w+ )?(credentials?|access token|api key|token)\b|\b(token|session|api key) (is |has )?(been )?(not valid|invalid|expired|revoked)\b/i

export const LACKS_SCOPE =
  /\b(missing|required?|requires|insufficient|lacks?|needs?|granted|following)\b.{0,200}\bscopes?(?![\w/-])|(?<![\w/-])scopes? (is |are )?(missing|required|insufficient)\b/i

export const ALREADY_EXISTS =
  /\balready (exists?|been taken|in use|taken)\b|\bhas already been\b|\bmust be unique\b/i
