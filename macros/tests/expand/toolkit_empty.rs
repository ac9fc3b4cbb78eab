toolkit![]
