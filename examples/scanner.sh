# Stands in for a barcode scanner: a code every two seconds, as a person scans one product after another.
for code in L-202 L-204 L-201; do
  echo "$code"
  sleep 2
done
