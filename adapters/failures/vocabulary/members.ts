/** Members in which services put the message of an error, in the spellings that are in use. */
export const MESSAGE_MEMBERS = [
  'message',
  'Message',
  'title',
  'detail',
  'error_description',
  'error_message',
  'errorMessage',
  'errorMessages',
  'description',
  'msg',
  'errmsg',
  'err_msg',
  'errMsg',
  'error_msg',
  'errorMsg',
  'error_summary',
  'faultstring',
  'sub_msg',
]

/** Members in which services put the code of an error, and nothing else. */
export const CODE_MEMBERS = [
  'code',
  'Code',
  'errorCode',
  'ErrorCode',
  'error_code',
  'errcode',
  'errCode',
  'err_code',
]
