using System.Globalization;
using PerfCommon.Load;

namespace PerfTools.Hosting.Options;

/// <summary>Size of updates created in code.</summary>
/// <param name="Bytes">Bytes of the whole message, the stamp included.</param>
/// <param name="Fields">Number of fields, the stamp included.</param>
internal readonly record struct UpdateSize(int Bytes, int Fields)
{
    /// <summary>Reads <c>54</c>, with the usual number of fields, or <c>54,5</c>.</summary>
    public static bool TryParse(string text, out UpdateSize size)
    {
        string[] numbers = text.Split(',');
        bool isSize = TryRead(numbers[0], out int bytes);
        int fields = SizedMessages.UsualFields(Math.Min(bytes, SizedMessages.MaxBytes));
        bool isWhole = numbers.Length == 1 || (numbers.Length == 2 && TryRead(numbers[1], out fields));
        size = new(bytes, fields);
        return isSize && isWhole;
    }

    /// <summary>Formats it as <see cref="TryParse"/> reads it.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Bytes},{Fields}");

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
