namespace PerfCommon.Domains;

/// <summary>Collects definitions and enum tables, from files or from the wire and in any order, for one dictionary.</summary>
internal sealed class FieldDictionaryBuilder
{
    // Bytes of each object except its texts, with its positions in lists and indexes.
    private const int BytesPerDefinition = 160;
    private const int BytesPerTable = 256;
    private const int BytesPerFieldOfTable = 40;
    private const int BytesPerValue = 128;

    // by field id, as int here and in the readers: unlike with short, such collections need no compiling at program start
    private readonly Dictionary<int, FieldDefinition> _definitions = [];
    private readonly Dictionary<int, EnumTable> _tables = [];
    private readonly List<(string Acronym, short Fid, string Place)> _references = [];

    /// <summary>Identity and versions known so far; replace it by a <c>with</c> expression.</summary>
    public DictionaryVersion Version { get; set; } = new();

    /// <summary>The file of the field definitions, as error messages name it; null where they are not from a file.</summary>
    public string? FieldsName { get; set; }

    public int DefinitionCount => _definitions.Count;

    /// <summary>Approximate number of bytes used by the additions.</summary>
    public long KeptBytes { get; private set; }

    /// <summary>Adds the content of another dictionary; call it first.</summary>
    public void Add(FieldDictionary dictionary)
    {
        (Version, FieldsName) = (dictionary.Version, dictionary.FieldsName);
        foreach (FieldDefinition definition in dictionary.Definitions)
            TryAdd(definition);
        foreach (EnumTable table in dictionary.EnumTables)
            TryAdd(table, out _);
        _references.AddRange(dictionary.References);
    }

    /// <summary>Adds one field; false, and nothing added, when its id is 0 or already taken.</summary>
    public bool TryAdd(FieldDefinition definition)
    {
        if (definition.Fid == 0 || !_definitions.TryAdd(definition.Fid, definition)) // wire/rwf 6.1
            return false;
        KeptBytes += BytesPerDefinition + (sizeof(char) * (definition.Acronym.Length + definition.LongName.Length));
        return true;
    }

    /// <summary>Adds one enum table, if none of its fields has one.</summary>
    /// <param name="table">The table.</param>
    /// <param name="takenFid">The field that already has a table, when the result is false; 0 when no field was named.</param>
    /// <returns>False, and nothing added, when no field is named or one of them has a table.</returns>
    public bool TryAdd(EnumTable table, out short takenFid)
    {
        takenFid = table.Fids.FirstOrDefault(fid => _tables.ContainsKey(fid));
        if (table.Fids.Count == 0 || takenFid != 0 || table.Fids.Distinct().Count() != table.Fids.Count) // wire/rwf 6.2
            return false;
        foreach (short fid in table.Fids)
            _tables.Add(fid, table);
        KeptBytes += BytesPerTable + (BytesPerFieldOfTable * table.Fids.Count);
        KeptBytes += table.Values.Sum(value => (long)BytesPerValue + value.Display.Length);
        return true;
    }

    /// <summary>Sets the dictionary number; a file without one gives 0.</summary>
    /// <returns>False when another number other than 0 was given before.</returns>
    public bool TrySetDictionaryId(int dictionaryId)
    {
        if (dictionaryId != 0 && Version.DictionaryId != 0 && dictionaryId != Version.DictionaryId) // wire/rwf 6.1
            return false;
        if (dictionaryId != 0)
            Version = Version with { DictionaryId = dictionaryId };
        return true;
    }

    /// <summary>Creates the dictionary of everything added so far.</summary>
    /// <exception cref="SetupException">An enum file names a field differently from the field file.</exception>
    public FieldDictionary Build()
    {
        FieldDictionary dictionary = new(Version, _definitions.Values, _tables.Values.Distinct()) { References = _references, FieldsName = FieldsName };
        foreach ((string acronym, short fid, string place) in _references)
        {
            if (dictionary.TryFind(fid, out FieldDefinition? byFid) && byFid.Acronym != acronym)
                // wire/rwf 6.2
                throw Contradiction($"{place}: field {fid} is \"{acronym}\" here and \"{byFid.Acronym}\" in {dictionary.FieldsShown}");
            if (dictionary.TryFind(acronym, out FieldDefinition? byAcronym) && byAcronym.Fid != fid)
                // wire/rwf 6.2
                throw Contradiction($"{place}: \"{acronym}\" is field {fid} here and {byAcronym.Fid} in {dictionary.FieldsShown}");
        }

        return dictionary;
    }

    /// <summary>Records how an enum file names a field, for the comparison once both files are known.</summary>
    public void AddReference(string acronym, short fid, string place) => _references.Add((acronym, fid, place));

    private static SetupException Contradiction(string message) => new(SetupProblem.InputFile, message);
}
