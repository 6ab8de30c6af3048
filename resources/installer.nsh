; Explorer's menu of a folder gets "Open with Locus", for this user only.
!macro customInstall
  WriteRegStr HKCU "Software\Classes\Directory\shell\Locus" "" "Open with Locus"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Locus" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr HKCU "Software\Classes\Directory\shell\Locus\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\Directory\shell\Locus"
!macroend
