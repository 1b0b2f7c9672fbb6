# Every line of the canary files has one wrong number: the runner must fail all of them and pass none.
execute_process(COMMAND "${RUNNER}" "${FOLDER}" --area "${AREA}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
if(status EQUAL 0 OR NOT output MATCHES "\n0 passed, [1-9][0-9]* failed, 0 skipped")
  message(FATAL_ERROR "a wrong number went unnoticed:\n${output}")
endif()
