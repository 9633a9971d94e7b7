namespace Mutation;

/// <summary>Mutants that have no effect that a test could detect, each with the reason.</summary>
internal sealed class Equivalents
{
    private readonly HashSet<string> _keys = [];

    /// <summary>Reads the list: path, operator, the line, the text that replaces a part of it, and the reason, separated by tabs.</summary>
    public static Equivalents Read(string path)
    {
        Equivalents list = new();
        foreach (string line in File.ReadLines(path).Where(line => line.Length > 0 && line[0] != '#'))
        {
            string[] cells = line.Split('\t');
            if (cells.Length != 5 || cells[4].Length == 0)
                throw new InvalidDataException($"{path}: not path, operator, line, text, reason: {line}");
            list._keys.Add(string.Join('\t', cells[..4]));
        }

        return list;
    }

    public bool Contains(Mutant mutant) => _keys.Contains(mutant.Key);
}
