"""Loading, cleaning and splitting of source documents."""
