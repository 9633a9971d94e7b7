using System.Globalization;
using System.Xml;
using PerfCommon;

namespace PerfTools.Reports;

/// <summary>An assertion as a test case.</summary>
/// <param name="Name">The assertion as the user typed it.</param>
/// <param name="Failure">Why it was missed; null when it was kept.</param>
internal sealed record JUnitCase(string Name, string? Failure);

/// <summary>Writes assertions in the form that CI systems read as test results.</summary>
internal static class JUnitFile
{
    private const string Tool = "perftools";

    /// <summary>Writes one suite.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="suite">The subject of the cases.</param>
    /// <param name="cases">The cases.</param>
    /// <param name="properties">Figures to write with them, by name; may be empty.</param>
    public static void Write(TextWriter writer, string suite, IReadOnlyList<JUnitCase> cases,
        IReadOnlyList<(string Name, double Value)>? properties = null)
    {
        using (XmlWriter xml = XmlWriter.Create(writer,
            new() { Indent = true, OmitXmlDeclaration = true, NewLineChars = "\n", CloseOutput = false }))
        {
            xml.WriteStartElement("testsuite");
            xml.WriteAttributeString("name", $"{Tool} {suite}");
            xml.WriteAttributeString("tests", cases.Count.ToString(CultureInfo.InvariantCulture));
            xml.WriteAttributeString("failures", cases.Count(one => one.Failure is not null).ToString(CultureInfo.InvariantCulture));
            if (properties is { Count: > 0 })
                WriteProperties(xml, properties);
            foreach (JUnitCase one in cases)
                Write(xml, suite, one);
            xml.WriteEndElement();
        }

        writer.Write('\n');
    }

    private static void WriteProperties(XmlWriter xml, IReadOnlyList<(string Name, double Value)> properties)
    {
        xml.WriteStartElement("properties");
        foreach ((string name, double value) in properties)
        {
            xml.WriteStartElement("property");
            xml.WriteAttributeString("name", PrintableText.From(name, PrintableText.MaxLineChars));
            xml.WriteAttributeString("value", value.ToString(CultureInfo.InvariantCulture));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    private static void Write(XmlWriter xml, string suite, JUnitCase one)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", $"{Tool}.{suite.Replace(' ', '.')}");
        xml.WriteAttributeString("name", PrintableText.From(one.Name, PrintableText.MaxLineChars));
        if (one.Failure is not null)
        {
            xml.WriteStartElement("failure");
            xml.WriteAttributeString("message", PrintableText.From(one.Failure, PrintableText.MaxLineChars));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }
}
